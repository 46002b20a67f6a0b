/** Works through the items with at most `width` at once. Stops taking new ones after the first error, and throws it when the rest is done. */
export const inParallel = async <T>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  for await (const item of items) {
    if (errors.length > 0) break;
    const job: Promise<void> = work(item)
      .catch((error: unknown) => void errors.push(error))
      .finally(() => running.delete(job));
    running.add(job);
    if (running.size >= width) await Promise.race(running);
  }
  await Promise.all(running);
  if (errors.length > 0) throw errors[0];
};
