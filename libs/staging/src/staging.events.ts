import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

const Actor = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional() });
const Data = z.record(z.string(), z.json());

/** Why a field of a staged change is left as it is: a person pinned it, or edited it while the change waited. */
export const KEPT_BECAUSE = ['pinned_by_human', 'changed_by_human'] as const;
const Dropped = z.array(z.strictObject({ field: z.string(), reason: z.enum(KEPT_BECAUSE) }));
export type Dropped = Readonly<z.infer<typeof Dropped>>;

/** `window`: nobody objected in time. `person`: somebody said yes before. Silence is never told as a person's word. */
const Committed = {
  cause: z.enum(['window', 'person']),
  by: Actor.nullable(),
  committedAt: z.string(),
  /** Fields that were set; one that had its value already is no change of the item, but counts here. */
  fields: z.array(z.string()),
  /** Version of the item after the commit. */
  itemVersion: z.int(),
};

export const stagingEvents = eventFamily('staging', {
  /** A patch of one item that waits for a veto. `before` holds the values of its fields at item version `baseVersion`; null is no value. */
  ChangeStaged: z.strictObject({
    stagingId: z.string(),
    siteId: z.string(),
    collection: z.string(),
    itemId: z.string(),
    patch: Data,
    before: Data,
    baseVersion: z.int(),
    goalId: z.string(),
    runId: z.string(),
    callId: z.string(),
    tool: z.string(),
    actionDigest: z.string(),
    /** Whose change it is, also when it is committed hours later. */
    author: Actor,
    agentName: z.string(),
    agentRole: z.string().nullable(),
    intentId: z.string().nullable(),
    capability: z.string(),
    approvalId: z.string(),
    /** Of the constitution that the run works under; null for a site without one. */
    constitutionHash: z.string().nullable(),
    stagedAt: z.string(),
    autoCommitAt: z.string(),
  }),
  StagingVetoed: z.strictObject({ by: Actor, vetoedAt: z.string(), reason: z.string().nullable(), incidentId: z.string() }),
  StagingCommitted: z.strictObject(Committed),
  StagingCommittedPartially: z.strictObject({ ...Committed, dropped: Dropped }),
  /** The staging is intact. `retryAt` is null after the last attempt: from then on only a person commits or vetoes it. */
  StagingCommitFailed: z.strictObject({
    attempt: z.int(),
    error: z.string(),
    failedAt: z.string(),
    retryAt: z.string().nullable(),
    incidentId: z.string().nullable(),
  }),
  /** What it would have changed is forgotten with the run that asked for it; `stagedEventId` is that of its first event. */
  ChangeForgotten: z.strictObject({ stagedEventId: z.string(), at: z.string() }),
  /** Nothing of it can be committed any more, and nothing was written. */
  StagingAbandoned: z.strictObject({ reason: z.enum(['nothing_left', 'item_gone', 'run_cancelled']), dropped: Dropped, abandonedAt: z.string() }),
});
export type StagingEvent = EventOf<typeof stagingEvents>;
