import type { Recorded } from '@app/kernel';
import type { Tally } from './tally';

type Data = Readonly<Record<string, unknown>>;
type Counted = Pick<Recorded, 'type' | 'streamId' | 'occurredAt'> & { readonly data: Data };
type Rule = (event: Counted, tally: Tally) => void;

/** A field that is absent, or null, or another kind of value than text, has no name of its own. */
const text = (value: unknown, otherwise = 'none'): string => (typeof value === 'string' && value !== '' ? value : otherwise);
const number = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

const callKey = ({ streamId, data }: Counted) => `${streamId}/${text(data['callId'])}`;

const driftKey = ({ streamId, data }: Counted) => `${streamId}/${text(data['fingerprint'])}`;

const opensRun: Rule = ({ streamId, occurredAt, data }, tally) =>
  tally.remember({ key: streamId, name: text(data['agentName'], 'unknown'), since: occurredAt, owner: streamId });

const endsRun = (status: string): Rule => ({ streamId, data }, tally) => {
  tally.add('runs', [tally.subject(streamId)?.name ?? 'unknown', status, text(data['stopReason'])]);
  tally.forget(streamId);
  tally.forgetOwnedBy(streamId);
};

const authorises: Rule = (event, tally) => {
  const { streamId, occurredAt, data } = event;
  const byPerson = typeof data['approvalId'] === 'string';
  tally.add('doorDecisions', ['execute', byPerson ? 'approved' : text(data['policy'], 'autonomy')]);
  if (data['autonomy'] === 4 && !byPerson) tally.add('autonomous', ['L4']);
  tally.remember({ key: callKey(event), name: text(data['tool'], 'unknown'), since: occurredAt, owner: streamId });
};

const runsHandler = (status: string): Rule => (event, tally) => {
  const { data } = event;
  const call = tally.subject(callKey(event));
  tally.observe('toolLatency', [call?.name ?? 'unknown', status === 'failed' && data['reason'] === 'timeout' ? 'timeout' : status], number(data['runtimeMs']) / 1_000);
  tally.forget(callKey(event));
};

const decides = (route: string): Rule => ({ data }, tally) => tally.add('doorDecisions', [route, text(data['reason'] ?? data['policy'])]);

const endsApproval = (status: string, decidedAt?: string): Rule => ({ streamId, occurredAt, data }, tally) => {
  const approval = tally.subject(streamId);
  const type = approval?.name ?? 'unknown';
  tally.add('approvals', [type, status]);
  // The end of a veto window is nobody's decision.
  if (approval && decidedAt !== undefined && data['channel'] !== 'window') {
    const waitedMs = Date.parse(text(data[decidedAt], occurredAt)) - Date.parse(approval.since);
    tally.observe('approvalLatency', [type], Math.max(0, waitedMs) / 1_000);
  }
  tally.forget(streamId);
};

/** What each event adds to the metrics. Events are known here by name alone: the platform knows no capability. */
const RULES: Readonly<Record<string, Rule>> = {
  RunQueued: opensRun,
  RunStarted: opensRun,
  RunSucceeded: endsRun('succeeded'),
  RunFailed: endsRun('failed'),
  RunCancelled: endsRun('cancelled'),
  RunDeadLettered: ({ data }, tally) => tally.add('deadLetters', [text(data['queue'], 'unknown')]),
  ToolCallAuthorised: authorises,
  ToolCallParked: decides('ask'),
  ToolCallDenied: decides('deny'),
  ToolCallDeferred: (event, tally) => {
    decides('defer')(event, tally);
    if (event.data['reason'] === 'write_budget_exceeded') tally.add('budgetDenials');
  },
  ToolCallStaged: (event, tally) => {
    decides('stage')(event, tally);
    if (event.data['autonomy'] === 3) tally.add('autonomous', ['L3']);
  },
  ToolCallSucceeded: runsHandler('succeeded'),
  ToolCallFailed: runsHandler('failed'),
  LlmUsed: ({ data }, tally) => {
    const labels = [text(data['provider'], 'unknown'), text(data['model'], 'unknown')];
    tally.add('tokens', labels, number(data['inputTokens']) + number(data['outputTokens']));
    tally.add('cost', labels, number(data['costUsd']));
  },
  WritesFlushed: ({ data }, tally) => {
    const collections = Array.isArray(data['collections']) ? (data['collections'] as readonly { readonly writes?: unknown }[]) : [];
    tally.add('writeFlushes', [], collections.length);
    tally.add('coalescedWrites', [], collections.reduce((sum, { writes }) => sum + number(writes), 0));
  },
  ApprovalRequested: ({ streamId, occurredAt, data }, tally) =>
    tally.remember({ key: streamId, name: text(data['kind'], 'unknown'), since: text(data['requestedAt'], occurredAt), owner: streamId }),
  ApprovalApproved: endsApproval('approved', 'decidedAt'),
  ApprovalRejected: (event, tally) => endsApproval(text(event.data['decision'], 'rejected'), 'decidedAt')(event, tally),
  ApprovalExpired: endsApproval('expired'),
  ApprovalSuperseded: endsApproval('superseded'),
  ChangeStaged: (_event, tally) => tally.add('vetoStagings'),
  StagingVetoed: (_event, tally) => tally.add('vetoes'),
  ArtifactEvaluated: ({ data }, tally) => tally.add('evaluations', [text(data['type'], 'unknown'), text(data['status'], 'unknown')]),
  BackpressureActivated: (_event, tally) => tally.add('backpressure'),
  DriftFound: (event, tally) => tally.remember({ key: driftKey(event), name: '', since: event.occurredAt, owner: event.streamId }),
  DriftResolved: (event, tally) => tally.forget(driftKey(event)),
  IntentDeleted: ({ streamId }, tally) => tally.forgetOwnedBy(streamId),
  IntentBroken: (_event, tally) => tally.add('breakerTrips'),
};

/** Types of the events that count for anything. */
export const COUNTED_TYPES: readonly string[] = Object.keys(RULES);

/** Keys of what must be known about an event before it is counted. */
export const subjectKeysOf = ({ streamId, data }: Pick<Recorded, 'streamId' | 'data'>): readonly string[] => {
  const { callId } = data as Data;
  return typeof callId === 'string' ? [streamId, `${streamId}/${callId}`] : [streamId];
};

export const count = (event: Recorded, tally: Tally): void => RULES[event.type]?.(event as Counted, tally);
