import type { Recorded } from '@app/kernel';
import type { LogReads } from '../log-reads';

export const listed = async <T>(values: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
};

/** The log with one event changed, for its readers. */
export const tampered = (log: LogReads, eventId: string, change: (event: Recorded) => Recorded): LogReads => {
  const changed = (event: Recorded) => (event.eventId === eventId ? change(event) : event);
  return {
    head: () => log.head(),
    versions: (streams) => log.versions(streams),
    async *read(stream, from) {
      for await (const event of log.read(stream, from)) yield changed(event);
    },
    async *readAll(after, options) {
      for await (const page of log.readAll(after, options)) yield page.map(changed);
    },
  };
};

/** The four ways to read; whatever else is touched throws. */
export const readingOnly = (log: LogReads): LogReads => {
  const allowed: LogReads = { read: (...args) => log.read(...args), readAll: (...args) => log.readAll(...args), head: () => log.head(), versions: (streams) => log.versions(streams) };
  return new Proxy(allowed, {
    get: (target, name) => {
      if (!(name in target)) throw new Error(`A replay reached for ${String(name)}`);
      return target[name as keyof LogReads];
    },
  });
};
