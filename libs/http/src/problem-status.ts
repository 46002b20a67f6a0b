import type { ProblemCode, RejectionKind } from '@app/kernel';

const BY_KIND: Readonly<Record<RejectionKind, number>> = {
  missing: 403, forbidden: 403, gone: 410, conflict: 409, invalid: 422, frozen: 423, unavailable: 503,
};

/** Codes whose status the wire contract fixes, whatever kind of rejection carries them. */
const BY_CODE: Readonly<Partial<Record<ProblemCode, number>>> = {
  UNAUTHENTICATED: 401, NOT_FOUND: 404, PAYLOAD_TOO_LARGE: 413, RATE_LIMITED: 429, ASYNC_UNAVAILABLE: 400, LLM_PROVIDER_ERROR: 502,
  LLM_INVALID_JSON: 502,
};

const OF_STATUS: Readonly<Record<number, ProblemCode>> = {
  400: 'VALIDATION_FAILED', 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN', 404: 'NOT_FOUND', 409: 'CONFLICT', 410: 'GONE', 412: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE', 423: 'FROZEN', 429: 'RATE_LIMITED',
};

export const statusOf = (kind: RejectionKind, code: ProblemCode): number => BY_CODE[code] ?? BY_KIND[kind];

/** The code for a failure that a framework named by its status alone. */
export const codeOfStatus = (status: number): ProblemCode => OF_STATUS[status] ?? (status < 500 ? 'VALIDATION_FAILED' : 'UNAVAILABLE');

/** `ACTION_CHANGED` → `Action changed`: the same for every occurrence, as RFC 9457 asks. */
export const titleOf = (code: ProblemCode): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ');
