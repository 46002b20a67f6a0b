import { Field, Name } from '@app/content/contract';
import { z } from 'zod';

/** A step is a tool call that is recorded for good, so one publication has a bounded number of them. */
export const MOST_STEPS = 500;

const Collection = z.strictObject({ name: Name, description: z.string().max(1_000).nullable().optional(), fields: z.array(Field).max(200) });
const Relation = z.strictObject({ collection: Name, name: Name, field: Name, to: Name });
export type AppliedCollection = z.infer<typeof Collection>;

/**
 * The members of a `schema_diff` or `seed_data` that take effect; whatever else they say is for readers. `collections` are as they will be: what is
 * missing is created, what differs is changed, what is not named stays, and nothing is taken away.
 */
export const AppliedContent = z.object({
  collections: z.array(Collection).max(100).default([]),
  relations: z.array(Relation).max(100).default([]),
  items: z.array(z.strictObject({ collection: Name, data: z.record(z.string(), z.json()) })).max(MOST_STEPS).default([]),
});
export type AppliedContent = z.infer<typeof AppliedContent>;

/** A member of this kind asks for what nobody can bring back. */
export const TAKES_AWAY = /^(?:remove|delete|drop)/i;
