import { z } from 'zod';
import { FieldChange } from '../item-revisions/item-revision.view';
import type { OpenVersion } from '../item.state';

/** Changes of an item under a name, not live yet. `changes` holds the values to be; null takes one away. `baseVersion` is the item's version they were first made against. */
export const ItemVersionView = z
  .object({ name: z.string(), baseVersion: z.int(), changes: z.record(z.string(), z.json()).readonly(), createdAt: z.string(), updatedAt: z.string() })
  .meta({ id: 'ItemVersion' });
export type ItemVersionView = Readonly<z.infer<typeof ItemVersionView>>;
export const ItemVersionViews = z.array(ItemVersionView).readonly();
export type ItemVersionViews = Readonly<z.infer<typeof ItemVersionViews>>;

/** As an answer to a write: `version` is the item's, and its ETag. */
export const WrittenVersionView = ItemVersionView.extend({ version: z.int() }).meta({ id: 'WrittenItemVersion' });
export type WrittenVersionView = Readonly<z.infer<typeof WrittenVersionView>>;

/** What promoting would change now. `before` is live, `after` would be; `pinned` fields no agent promotes. */
export const VersionComparison = z
  .object({
    name: z.string(),
    baseVersion: z.int(),
    liveVersion: z.int(),
    changes: z.array(FieldChange).readonly(),
    pinned: z.array(z.string()).readonly(),
  })
  .meta({ id: 'ItemVersionComparison' });
export type VersionComparison = Readonly<z.infer<typeof VersionComparison>>;

export const GoneVersion = z.object({ name: z.string(), deleted: z.literal(true) }).meta({ id: 'GoneItemVersion' });
export type GoneVersion = Readonly<z.infer<typeof GoneVersion>>;

export const versionView = (name: string, { baseVersion, changes, createdAt, updatedAt }: OpenVersion): ItemVersionView => ({ name, baseVersion, changes, createdAt, updatedAt });
