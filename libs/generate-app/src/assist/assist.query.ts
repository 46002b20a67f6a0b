import { Field, Name } from '@app/content/contract';
import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

export const SuggestFieldInput = z.strictObject({ collection: Name, purpose: z.string().trim().min(1).max(1_000).describe('What the field is for') }).meta({ id: 'SuggestFieldInput' });
export type SuggestFieldInput = z.infer<typeof SuggestFieldInput>;
export type SuggestedField = { readonly collection: string; readonly field: Field; readonly model: string };

/** A field that would suit a purpose, as a model thinks; nothing is created. */
export class SuggestField extends Query<Outcome<SuggestedField>> {
  constructor(
    readonly input: SuggestFieldInput,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}

export const AssistContentInput = z
  .strictObject({
    collection: Name,
    id: z.string().max(100).optional().describe('The item to improve; without it values for a new one are suggested'),
    instruction: z.string().trim().min(1).max(2_000),
    fields: z.array(Name).min(1).max(50).optional().describe('The fields to write; all when absent'),
  })
  .meta({ id: 'AssistContentInput' });
export type AssistContentInput = z.infer<typeof AssistContentInput>;
export type AssistedContent = { readonly collection: string; readonly id: string | null; readonly data: Readonly<Record<string, unknown>>; readonly model: string };

/** Values for the fields of an item, as a model would write them; nothing is changed. */
export class AssistContent extends Query<Outcome<AssistedContent>> {
  constructor(
    readonly input: AssistContentInput,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
