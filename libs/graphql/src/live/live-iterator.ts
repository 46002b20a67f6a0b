/**
 * An iterator that ends at once when its reader leaves. A generator that waits for its next value would hear of it only when that one comes, and hold its
 * place in the log until then.
 */
export const liveIterator = <Value>(open: (signal: AbortSignal) => AsyncIterable<Value>, stopping: AbortSignal, ended: () => void): AsyncIterableIterator<Value> => {
  const left = new AbortController();
  const inner = open(AbortSignal.any([left.signal, stopping]))[Symbol.asyncIterator]();
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    left.abort();
    ended();
  };
  const iterator: AsyncIterableIterator<Value> = {
    [Symbol.asyncIterator]: () => iterator,
    next: async () => {
      if (over) return { done: true, value: undefined };
      try {
        const next = await inner.next();
        if (next.done) end();
        return next;
      } catch (error) {
        end();
        throw error;
      }
    },
    return: () => {
      end();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
  return iterator;
};
