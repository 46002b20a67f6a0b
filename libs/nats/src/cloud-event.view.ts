import { categoryOf, type Recorded, type SealedPayload } from '@app/kernel';
import { withoutSealed } from './sealed-fields.policy';
import { eventSubject } from './subjects.policy';

/**
 * An event of the log as CloudEvents 1.0 (JSON format). Attributes beside the standard's are extensions, so their names are of lower-case letters; a
 * position is text, because it passes 2^53. An event that is too large for the broker has no `data`; `dataref` then tells where the API shows them, and so it does
 * for fields that are placeholders here, because the log holds them sealed: `sealed` names those.
 */
export type CloudEvent = {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  /** The stream. */
  readonly subject: string;
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data?: unknown;
  readonly dataref?: string;
  readonly sealed?: string;
  readonly siteid: string;
  readonly position: string;
  /** Of the event in its stream. */
  readonly streamversion: number;
  /** Of the shape of `data`. */
  readonly dataversion: number;
  readonly actorkind: string;
  readonly actorid: string;
  readonly actorrole?: string;
  readonly correlationid: string;
  readonly causationid?: string;
  readonly commandid: string;
  readonly traceparent?: string;
  readonly runid?: string;
  readonly goalid?: string;
  /** The event's leaf in the hash chain, in hexadecimal digits. */
  readonly leaf: string;
};

export const CLOUD_EVENT_TYPE = 'application/cloudevents+json';

export type CloudEventOptions = {
  /** Of the shape in which the log hands the data out, which is the newest one. */
  readonly dataVersion?: number | undefined;
  readonly sealed?: SealedPayload['fields'] | undefined;
};

export const cloudEventOf = (event: Recorded, { dataVersion = event.schemaVersion, sealed: fields }: CloudEventOptions = {}): CloudEvent => {
  const { actor, correlationId, causationId, commandId, traceparent, runId, goalId } = event.metadata;
  const { data, sealed } = withoutSealed(event.data as Readonly<Record<string, unknown>>, fields);
  return {
    specversion: '1.0', id: event.eventId, source: `/sites/${event.siteId}`, type: event.type, subject: event.streamId, time: event.occurredAt, datacontenttype: 'application/json',
    siteid: event.siteId, position: String(event.position), streamversion: event.version, dataversion: dataVersion,
    actorkind: actor.kind, actorid: actor.id, ...(actor.role !== undefined && { actorrole: actor.role }),
    correlationid: correlationId, ...(causationId !== undefined && { causationid: causationId }), commandid: commandId,
    ...(traceparent !== undefined && { traceparent }), ...(runId !== undefined && { runid: runId }), ...(goalId !== undefined && { goalid: goalId }),
    leaf: event.chain.leaf, ...(sealed.length > 0 && { sealed: sealed.join(','), dataref: dataRefOf(event.eventId) }), data,
  };
};

/** The proof of an event shows it whole. */
const dataRefOf = (eventId: string) => `/api/v1/audit/proof/${eventId}`;

export const withoutData = ({ data: _, ...attributes }: CloudEvent): CloudEvent => ({ ...attributes, dataref: dataRefOf(attributes.id) });

export const subjectOf = ({ siteId, streamId, type }: Recorded): string => eventSubject(siteId, categoryOf(streamId), type);
