import type { StagingEvent } from '../staging.events';
import type { Staging } from '../staging.state';

export const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 60_000;

/** 1, 2, 4 and 8 minutes between five attempts: a quarter of an hour, in which most outages end. */
export const pauseAfter = (attempt: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1);

/** The record of a failed commit; the last one names the incident that it opens. Undefined when there is nothing to try again. */
export const failCommit = (state: Staging, error: string, incidentId: string, now: Date): Extract<StagingEvent, { type: 'StagingCommitFailed' }> | undefined => {
  if (state.status !== 'staged' || state.attempts >= MAX_ATTEMPTS) return undefined;
  const attempt = state.attempts + 1;
  const isLast = attempt === MAX_ATTEMPTS;
  const retryAt = isLast ? null : new Date(now.getTime() + pauseAfter(attempt)).toISOString();
  return { type: 'StagingCommitFailed', data: { attempt, error, failedAt: now.toISOString(), retryAt, incidentId: isLast ? incidentId : null } };
};
