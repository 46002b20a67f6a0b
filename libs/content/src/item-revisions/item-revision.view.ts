import { z } from 'zod';

/** What happened to one field; null means that it had, or has, no value. */
export const FieldChange = z.object({ field: z.string(), before: z.json(), after: z.json() }).meta({ id: 'FieldChange' });
export type FieldChange = Readonly<z.infer<typeof FieldChange>>;

export const REVISION_ACTIONS = ['created', 'updated', 'restored', 'promoted', 'deleted', 'staged'] as const;

/**
 * One change of an item: what, who, and on which run. `id` is that of the event, `revision` the version that the item had after it; numbers
 * of one item grow, and may have gaps. A `staged` revision is a change that waits in a veto window: it has touched nothing yet, and its number
 * is the version it was made against. When it is committed, that is a revision of its own, of the same `stagingId`. `model`, `sources` and
 * `confidence` are what its author said; the constitution is the one its run was bound to.
 */
export const ItemRevisionView = z
  .object({
    id: z.string(),
    itemId: z.string(),
    collection: z.string(),
    revision: z.int(),
    action: z.enum(REVISION_ACTIONS),
    changes: z.array(FieldChange).readonly(),
    authorType: z.enum(['human', 'agent', 'service']),
    authorId: z.string(),
    createdByRunId: z.string().nullable(),
    model: z.string().nullable(),
    constitutionHash: z.string().nullable(),
    sources: z.array(z.string()).readonly(),
    confidence: z.number().nullable(),
    stagingId: z.string().nullable(),
    staged: z.boolean(),
    autoCommitAt: z.string().nullable(),
    at: z.string(),
  })
  .meta({ id: 'ItemRevision' });
export type ItemRevisionView = Readonly<z.infer<typeof ItemRevisionView>>;
