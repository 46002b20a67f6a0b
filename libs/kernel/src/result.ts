/** The stable codes of the wire contract. A test pins the list: codes are added, never renamed. */
export const PROBLEM_CODES = [
  'UNAUTHENTICATED', 'FORBIDDEN', 'CROSS_SITE', 'NOT_FOUND', 'GONE', 'VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'RATE_LIMITED',
  'IDEMPOTENCY_MISMATCH', 'CONFLICT', 'ALREADY_DECIDED', 'ACTION_CHANGED', 'RUN_TERMINAL', 'FROZEN', 'FLAG_OFF', 'ASYNC_UNAVAILABLE',
  'ENQUEUE_FAILED', 'PINNED_BY_HUMAN', 'RESERVED_NAME', 'CONTROL_PLANE_FORBIDDEN', 'LLM_NOT_CONFIGURED', 'LLM_PROVIDER_ERROR',
  'LLM_INVALID_JSON', 'OVERLOADED', 'UNAVAILABLE',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Why a command was turned down; a short closed list that every transport maps once. `missing` covers unknown and foreign ids alike. */
export type RejectionKind = 'missing' | 'gone' | 'forbidden' | 'conflict' | 'invalid' | 'frozen' | 'unavailable';

/** `code` is stable and public, `detail` is a sentence that helps, `facts` are safe to show. */
export type Rejection = {
  readonly kind: RejectionKind;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly facts?: Readonly<Record<string, unknown>>;
};

export type Rejected = { readonly ok: false; readonly rejection: Rejection };

/** What a pure decision says: events to append (possibly none), or why not. */
export type Decision<Events> = { readonly ok: true; readonly events: Events } | Rejected;

/** What a command answers: its data and the log position that a read must have reached to see it. */
export type Outcome<Data> = { readonly ok: true; readonly data: Data; readonly position: bigint } | Rejected;

export const accept = <Events>(events: Events): { readonly ok: true; readonly events: Events } => ({ ok: true, events });

export const reject = (kind: RejectionKind, code: ProblemCode, detail: string, facts?: Readonly<Record<string, unknown>>): Rejected => ({
  ok: false,
  rejection: facts === undefined ? { kind, code, detail } : { kind, code, detail, facts },
});

/** Unknown ids and ids of another site answer alike, so that an answer tells nothing about other sites. */
export const missing = () => reject('missing', 'FORBIDDEN', 'There is no such record on this site, or you may not use it.');
