/** The stable codes of the server. New ones may be added, none changes its meaning. */
export const SERVER_CODES = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CROSS_SITE',
  'NOT_FOUND',
  'GONE',
  'VALIDATION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'IDEMPOTENCY_MISMATCH',
  'CONFLICT',
  'ALREADY_DECIDED',
  'ACTION_CHANGED',
  'RUN_TERMINAL',
  'FROZEN',
  'ASYNC_UNAVAILABLE',
  'ENQUEUE_FAILED',
  'PINNED_BY_HUMAN',
  'RESERVED_NAME',
  'CONTROL_PLANE_FORBIDDEN',
  'FLAG_OFF',
  'LLM_NOT_CONFIGURED',
  'LLM_PROVIDER_ERROR',
  'LLM_INVALID_JSON',
  'OVERLOADED',
  'UNAVAILABLE',
] as const;

export type ServerCode = (typeof SERVER_CODES)[number];

/**
 * What the client itself reports. `NETWORK`: no answer arrived, after all retries. `TIMEOUT`: an attempt took too long, after all retries.
 * `UNEXPECTED_ANSWER`: something answered that does not speak this API, such as a proxy's error page. `STREAM_CUT`: a stream that cannot be
 * resumed ended before its last message. `INVALID_ARGUMENT`: the call cannot be made, nothing was sent.
 */
export type ClientCode = 'NETWORK' | 'TIMEOUT' | 'UNEXPECTED_ANSWER' | 'STREAM_CUT' | 'INVALID_ARGUMENT';

export type Code = ServerCode | ClientCode;

export type HarnessProblem = {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly code: Code;
  readonly detail: string;
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** How long the server asked to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

/** Every failure of a call. Switch on `code`; `detail` is for people and may change. */
export class HarnessError extends Error {
  readonly status: number;
  readonly code: Code;
  readonly detail: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, detail, facts, retryAfterMs, cause }: HarnessProblem) {
    super(`${code}: ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'HarnessError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.facts = facts ?? {};
    this.retryAfterMs = retryAfterMs;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `Retry-After` in milliseconds: seconds or an HTTP date. */
export const retryAfterMs = (header: string | null, now = Date.now()): number | undefined => {
  if (header === null || header.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

/** The error that a problem description stands for: an answer with a status of 300 or more, or the last message of a failed stream. */
export const problemOf = (status: number, body: string, headers: Headers): HarnessError => {
  const wait = retryAfterMs(headers.get('retry-after'));
  let problem: unknown;
  try {
    problem = JSON.parse(body);
  } catch {
    problem = undefined;
  }
  if (!isRecord(problem) || typeof problem['code'] !== 'string') {
    const detail = `The address answered ${status} without a problem description; is it a harness server?`;
    return new HarnessError({ status, code: 'UNEXPECTED_ANSWER', detail, retryAfterMs: wait });
  }
  const text = [problem['detail'], problem['title']].find((value) => typeof value === 'string');
  return new HarnessError({
    status: typeof problem['status'] === 'number' ? problem['status'] : status,
    code: problem['code'] as Code,
    detail: typeof text === 'string' ? text : `The server answered ${status}`,
    facts: isRecord(problem['facts']) ? problem['facts'] : undefined,
    retryAfterMs: wait,
  });
};
