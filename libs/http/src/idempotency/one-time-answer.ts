import { SetMetadata } from '@nestjs/common';

const ONE_TIME = 'http:one-time';

type Reader = { get<T>(key: string, target: never): T | undefined };

/** Fields of the answer's `data` that are secrets: the first answer shows them, the record of it holds `null` and a notice in their place. */
export const OneTimeAnswer = (...fields: readonly [string, ...string[]]) => SetMetadata(ONE_TIME, fields);

export const oneTimeFieldsOf = (reader: Reader, handler: object): readonly string[] => reader.get<string[]>(ONE_TIME, handler as never) ?? [];

/** The same data without what was shown before, and a sentence that says so. */
export const withheld = <Data extends object, Field extends keyof Data & string>(data: Data, ...fields: readonly Field[]) => ({
  ...data,
  ...(Object.fromEntries(fields.map((field) => [field, null])) as Record<Field, null>),
  notice: `Shown in the first answer only, and not kept: ${fields.join(', ')}.`,
});

/** What is recorded of an answer body. */
export const recordable = (body: object, fields: readonly string[]): object => {
  const { data } = body as { readonly data?: unknown };
  if (fields.length === 0 || typeof data !== 'object' || data === null) return body;
  return { ...body, data: withheld(data as Record<string, unknown>, ...fields) };
};
