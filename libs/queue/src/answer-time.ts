import { StoreUnavailable } from '@app/event-store';

/** Below what people and load balancers wait for, above a restart of the database. */
const ANSWER_WITHIN_MS = 5_000;

/** Rejects with `StoreUnavailable` when the work takes longer; the work itself goes on. */
export const inTime = async <T>(work: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new StoreUnavailable('The queue does not answer.')), ANSWER_WITHIN_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
};
