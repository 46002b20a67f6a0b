import type { AuditEventView } from '@app/audit/contract';
import { categoryOf } from '@app/kernel';
import type { CefRecord } from './cef-line.policy';
import { outcomeOf, severityOf } from './severity.policy';

/** Custom strings and `reason` take no more (CEF, extension dictionary). */
const MOST_TEXT = 4_000;
const MOST_REASON = 1_023;

/**
 * An event of the log as a record of CEF, under keys of its dictionary. `cs5` is the data in JSON, as they are stored; where they are too long for it, or for whoever takes the line, `request` names
 * where the API shows them. `cs4` is the event's leaf in the hash chain.
 */
export const cefOf = (event: AuditEventView, { withData = true } = {}): CefRecord => {
  const { position, streamId, eventId, type, siteId, occurredAt, actor, data, metadata, chain } = event;
  const category = categoryOf(streamId);
  const text = JSON.stringify(data);
  const { reason } = data as { readonly reason?: unknown };
  const extension = {
    rt: String(Date.parse(occurredAt)), externalId: eventId, cat: category, act: actionOf(type), outcome: outcomeOf(type),
    suser: actor.id, ...(actor.userId !== undefined && { suid: actor.userId }), ...(actor.role !== undefined && { spriv: actor.role }),
    ...(typeof reason === 'string' && withData && { reason: reason.slice(0, MOST_REASON) }),
    cn1: position, cn1Label: 'position', cs1: siteId, cs1Label: 'site', cs2: streamId, cs2Label: 'stream', cs3: metadata.correlationId, cs3Label: 'correlationId', cs4: chain.leaf, cs4Label: 'leaf',
    ...(withData && text.length <= MOST_TEXT ? { cs5: text, cs5Label: 'data' } : { request: `/api/v1/audit/proof/${eventId}` }),
    ...(typeof metadata['runId'] === 'string' && { cs6: metadata['runId'], cs6Label: 'run' }),
    flexString1: actor.kind, flexString1Label: 'actorKind',
  };
  return { vendor: 'Agent Harness', product: 'agent-harness', version: '0', signatureId: type, name: sentenceOf(type), severity: severityOf({ type, category, data }), extension };
};

const words = (type: string): readonly string[] => type.match(/[A-Z][a-z]*/g) ?? [type];

/** `ToolCallDenied` reads "Tool call denied". */
const sentenceOf = (type: string): string => words(type).map((word, nr) => (nr === 0 ? word : word.toLowerCase())).join(' ');

/** What was done: the last word of a type. */
const actionOf = (type: string): string => words(type).at(-1)!.toLowerCase();
