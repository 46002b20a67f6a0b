import type { DeadLetter } from '@app/queue';
import { z } from 'zod';
import type { DeadLetterView } from './dead-letter.schema';

const OfSite = z.object({ siteId: z.string(), runId: z.string().optional() });

/** Of which site a job is; undefined for a job of the installation. */
export const siteOf = ({ payload }: DeadLetter) => OfSite.safeParse(payload).data?.siteId;
export const runOf = ({ payload }: DeadLetter) => OfSite.safeParse(payload).data?.runId ?? null;

export const deadLetterView = (letter: DeadLetter): DeadLetterView => {
  const { id, queue, jobId, attempts, error, enqueuedAt, failedAt, payload } = letter;
  return { id, queue, jobId, runId: runOf(letter), attempts, error, enqueuedAt: enqueuedAt.toISOString(), failedAt: failedAt.toISOString(), payload: payload as DeadLetterView['payload'] };
};
