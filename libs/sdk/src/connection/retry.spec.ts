import { describe, expect, it } from '@jest/globals';
import { HarnessError, retryAfterMs } from './error';
import { DEFAULT_RETRY, nextDelay } from './retry';

const policy = { ...DEFAULT_RETRY, random: () => 1 };
const error = (status: number, code: HarnessError['code'], wait?: number) =>
  new HarnessError({ status, code, detail: '', retryAfterMs: wait });

describe('Retrying', () => {
  it('waits longer each time, up to a limit', () => {
    const delays = [1, 2, 3, 4, 10].map((attempt) => nextDelay({ ...policy, attempts: 20 }, attempt, error(0, 'NETWORK')));
    expect(delays).toEqual([100, 200, 400, 800, 5_000]);
  });

  it('spreads clients over half of the delay', () => {
    expect(nextDelay({ ...policy, random: () => 0 }, 3, error(0, 'NETWORK'))).toBe(200);
  });

  it('gives up after the last attempt', () => {
    expect(nextDelay(policy, 4, error(503, 'OVERLOADED'))).toBeDefined();
    expect(nextDelay(policy, 5, error(503, 'OVERLOADED'))).toBeUndefined();
  });

  it('waits as long as the server asks, but not for minutes', () => {
    expect(nextDelay(policy, 1, error(503, 'UNAVAILABLE', 2_000))).toBe(2_000);
    expect(nextDelay(policy, 1, error(429, 'RATE_LIMITED', 50))).toBe(100);
    expect(nextDelay(policy, 1, error(429, 'RATE_LIMITED', 60_000))).toBeUndefined();
  });

  it.each([
    [503, 'ENQUEUE_FAILED'],
    [503, 'LLM_NOT_CONFIGURED'],
    [500, 'UNEXPECTED_ANSWER'],
    [502, 'LLM_PROVIDER_ERROR'],
    [409, 'CONFLICT'],
    [403, 'FORBIDDEN'],
    [422, 'VALIDATION_FAILED'],
    [0, 'INVALID_ARGUMENT'],
    [0, 'STREAM_CUT'],
  ] as const)('does not repeat what would end the same: %i %s', (status, code) => {
    expect(nextDelay(policy, 1, error(status, code))).toBeUndefined();
  });

  it('reads Retry-After in seconds and as a date', () => {
    const now = Date.parse('2026-11-30T10:00:00Z');
    expect(retryAfterMs('3')).toBe(3_000);
    expect(retryAfterMs('Mon, 30 Nov 2026 10:00:05 GMT', now)).toBe(5_000);
    expect(retryAfterMs('Mon, 30 Nov 2026 09:00:00 GMT', now)).toBe(0);
    expect(retryAfterMs('soon')).toBeUndefined();
    expect(retryAfterMs(null)).toBeUndefined();
  });
});
