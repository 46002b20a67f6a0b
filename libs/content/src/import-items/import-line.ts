import { parseJson, ProblemException } from '@app/http';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { z } from 'zod';

export type NumberedItem = { readonly line: number; readonly data: Record<string, unknown> };

/** A line of an export is a line of an import: what the store gives by itself is passed over, and given anew. */
const Line = z.strictObject({
  data: z.record(z.string(), z.unknown()),
  id: z.string().optional(), collection: z.string().optional(), version: z.int().optional(), createdAt: z.string().optional(), updatedAt: z.string().optional(),
});

/** The items of an import with the line each is on; empty lines are passed over. */
export async function* itemsOf(lines: AsyncIterable<Buffer>): AsyncGenerator<NumberedItem, void, undefined> {
  let line = 0;
  for await (const bytes of lines) {
    line++;
    if (isBlank(bytes)) continue;
    yield { line, data: dataOf(bytes, line) };
  }
}

const isBlank = (bytes: Buffer) => bytes.every((byte) => byte === 32 || byte === 13 || byte === 9);

const dataOf = (bytes: Buffer, line: number): Record<string, unknown> => {
  const parsed = Line.safeParse(valueOf(bytes, line));
  if (parsed.success) return parsed.data.data;
  const [issue] = parsed.error.issues;
  throw unfit([{ pointer: `/${line}/${issue?.path.map(String).join('/') ?? ''}`, detail: issue?.message ?? 'Is no item' }]);
};

/** As strict as for every other body: no NUL, no half characters, no numbers that would change. */
const valueOf = (bytes: Buffer, line: number): unknown => {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    const errors = (error.problem.facts as { readonly errors?: readonly { readonly pointer: string; readonly detail: string }[] } | undefined)?.errors;
    throw unfit((errors ?? [{ pointer: '', detail: 'Is no JSON in UTF-8' }]).map(({ pointer, detail }) => ({ pointer: `/${line}${pointer}`, detail })));
  }
};

/** Pointers begin with the number of the line, counted from 1. */
export const unfit = (errors: readonly { readonly pointer: string; readonly detail: string }[]) => ProblemException.invalid(errors, 'The import does not fit the collection; nothing was written.');

type BatchBounds<T> = { readonly size: number; readonly weight: number; readonly weightOf: (item: T) => number };

/** Items in batches, in their order; others have their turn before each. An item that is heavier than a batch may be is one by itself. */
export async function* batchesOf<T>(items: AsyncIterable<T>, { size, weight, weightOf }: BatchBounds<T>): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  let weighs = 0;
  for await (const item of items) {
    const more = weightOf(item);
    if (batch.length === size || (batch.length > 0 && weighs + more > weight)) {
      await othersTurn();
      yield batch;
      [batch, weighs] = [[], 0];
    }
    batch.push(item);
    weighs += more;
  }
  if (batch.length > 0) yield batch;
}

