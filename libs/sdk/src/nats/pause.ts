/** Resolves after the time, or as soon as the signal aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
  });

/** Resolves when the promise does, or as soon as the signal aborts. */
export const settledOr = (promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((done, fail) => {
    const end = () => done();
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    promise.then(done, fail).finally(() => signal?.removeEventListener('abort', end));
  });
