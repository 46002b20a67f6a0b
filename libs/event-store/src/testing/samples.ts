import { Catalogue, eventFamily, type Context } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { z } from 'zod';
import type { NewEvent } from '../event-store';
import { newEventId } from '../ids';

const noted = z.strictObject({ text: z.string(), n: z.number().optional() });

/** Event types for specs of the log. `NoteRenamed` has had three shapes; `CounterMoved` lives in another category. */
export const catalogue = new Catalogue(
  eventFamily('note', {
    Noted: noted,
    NoteTagged: z.object({ tags: z.array(z.string()) }),
    NoteRenamed: {
      version: 3,
      schema: z.strictObject({ title: z.string(), by: z.string() }),
      upcasts: {
        1: (data: { name: string }) => ({ title: data.name }),
        2: (data: { title: string }) => ({ ...data, by: 'unknown' }),
      },
    },
  }),
  eventFamily('counter', { CounterMoved: z.strictObject({ by: z.number() }) }),
);

export const note = (text = 'hello', n?: number): NewEvent => ({ type: 'Noted', data: n === undefined ? { text } : { text, n } });
export const move = (by = 1): NewEvent => ({ type: 'CounterMoved', data: { by } });

let commands = 0;
/** A context with a command id of its own. */
export const command = (overrides: Partial<Context> = {}): Context => context({ commandId: `cmd-${++commands}-${newEventId()}`, ...overrides });

/** A stream that no other test writes. */
export const newStream = (category = 'note') => `${category}-${newEventId()}`;

export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

export const collectPages = async <T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> => (await collect(pages)).flat();

/** The first `count` events of endless pages. */
export const take = async <T>(count: number, pages: AsyncIterable<readonly T[]>): Promise<T[]> => {
  const taken: T[] = [];
  if (count === 0) return taken;
  for await (const page of pages) {
    taken.push(...page);
    if (taken.length >= count) break;
  }
  return taken;
};
