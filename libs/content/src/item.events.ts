import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

const Data = z.record(z.string(), z.json());
/** Field values by name. A field without a value is absent, never null. */
export type ItemData = Readonly<z.infer<typeof Data>>;

/** What its author says about a change, and what is known of the run it was made on. `confidence` is between 0 and 1. */
export const Provenance = z.strictObject({
  model: z.string().min(1).max(200).optional(),
  sources: z.array(z.string().min(1).max(2_000)).max(50).optional(),
  confidence: z.number().min(0).max(1).optional(),
  constitutionHash: z.string().optional(),
});
export type Provenance = Readonly<z.infer<typeof Provenance>>;

/** The edit by hand that a pin came with: the item's revision, and the active intents of its collection. Its author may be asked what it meant. */
const Edit = z.strictObject({ revision: z.int(), intents: z.array(z.string()) });
/** `exception`: this item alone differs, and the rule stays. `rule`: so it should be everywhere, and the rule is what has to change. */
export const EDIT_MEANINGS = ['exception', 'rule'] as const;
export type EditMeaning = (typeof EDIT_MEANINGS)[number];

const Staged = z.strictObject({ stagingId: z.string(), constitutionHash: z.string().nullable() });

/**
 * `before` and `patch` hold the touched fields only, under the same names; null means that the field has no value.
 * Who did it, and on which run, is in the metadata.
 */
export const itemEvents = eventFamily('item', {
  ItemCreated: z.strictObject({ siteId: z.string(), collection: z.string(), data: Data, at: z.string(), provenance: Provenance.optional() }),
  /** `staged` tells that the change had waited in a veto window before. */
  ItemPatched: z.strictObject({ collection: z.string(), before: Data, patch: Data, at: z.string(), staged: Staged.optional(), provenance: Provenance.optional() }),
  /** The values of `revision` became those of the item again, as far as its collection still has the fields. */
  ItemRestored: z.strictObject({ collection: z.string(), revision: z.int(), before: Data, patch: Data, at: z.string(), provenance: Provenance.optional() }),
  /** A named version holds changes of the item that are not live; `baseVersion` is the item's version they were first made against. */
  VersionCreated: z.strictObject({ collection: z.string(), name: z.string(), baseVersion: z.int(), changes: Data, at: z.string() }),
  /** `changes` are all it holds from here on. */
  VersionUpdated: z.strictObject({ collection: z.string(), name: z.string(), changes: Data, at: z.string() }),
  /** `patch` is what promoting it changed, and may be empty when the item had come to hold the same. */
  VersionPromoted: z.strictObject({ collection: z.string(), name: z.string(), before: Data, patch: Data, at: z.string(), provenance: Provenance.optional() }),
  VersionDeleted: z.strictObject({ collection: z.string(), name: z.string(), at: z.string() }),
  ItemDeleted: z.strictObject({ collection: z.string(), before: Data, at: z.string() }),
  /** `by` is the id of the person who keeps the field from agents, or gives it back to them; `edit` is there when the pin came with a change. */
  FieldPinned: z.strictObject({ collection: z.string(), field: z.string(), by: z.string(), at: z.string(), edit: Edit.optional() }),
  FieldUnpinned: z.strictObject({ collection: z.string(), field: z.string(), by: z.string(), at: z.string() }),
  /** What a person says that the edit of a revision meant; `values` are those of the fields it pinned, as they were when that was said. */
  EditExplained: z.strictObject({
    collection: z.string(), revision: z.int(), meaning: z.enum(EDIT_MEANINGS), intents: z.array(z.string()), values: Data, note: z.string().optional(), by: z.string(), at: z.string(),
  }),
  /** Somebody is about to delete the item, and looks now whether others refer to it: who refers to it from here on withdraws that first. */
  DeletionAnnounced: z.strictObject({ at: z.string() }),
  DeletionWithdrawn: z.strictObject({ at: z.string() }),
});
export type ItemEvent = EventOf<typeof itemEvents>;
