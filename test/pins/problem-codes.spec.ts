import { PROBLEM_CODES } from '@app/kernel';
import { describe, expect, it } from '@jest/globals';

/** The wire contract. A code is never renamed or removed: clients branch on it. */
const WIRE = [
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'CROSS_SITE',
  'NOT_FOUND',
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
  'LLM_NOT_CONFIGURED',
  'LLM_PROVIDER_ERROR',
  'LLM_INVALID_JSON',
  'OVERLOADED',
  'UNAVAILABLE',
];
/** For records that were deleted (410) and for features that a site has switched off. */
const ADDED = ['GONE', 'FLAG_OFF'];

describe('Problem codes', () => {
  it('are those of the wire contract and the two additions', () => {
    expect([...PROBLEM_CODES].sort()).toEqual([...WIRE, ...ADDED].sort());
  });

  it('occur once each', () => {
    expect(new Set(PROBLEM_CODES).size).toBe(PROBLEM_CODES.length);
  });
});
