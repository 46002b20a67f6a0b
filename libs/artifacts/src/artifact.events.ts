import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Kept, Step } from './apply-artifact/step.schema';
import { ARTIFACT_TYPES, ArtifactContent, ArtifactTitle, EVALUATION_STATUSES, EVALUATION_TYPES, Person, Provenance } from './artifact.schema';

const Version = { version: z.int().min(1), hash: z.string(), bytes: z.int().min(0), content: ArtifactContent, provenance: Provenance, at: z.string() };
/** What stood in the way: the evaluation that failed, or `none` when there was none that passed. */
const Block = z.strictObject({ evaluation: z.string(), detail: z.string() });
const Override = z.strictObject({ reason: z.string(), lifted: z.array(Block) });

/** What is recorded about letting a version through: the constitution in force, the one pinned to the artifact, and what was lifted. */
const Passage = {
  previousVersion: z.int().nullable(), constitutionHash: z.string().nullable(), pinnedConstitutionHash: z.string().nullable(), override: Override.nullable(),
  constitutionOverridden: z.strictObject({ reason: z.string(), constitutionHash: z.string(), failed: z.array(z.string()) }).nullable(), warnings: z.array(z.string()),
};
/** A run that carries the steps out, one tool call each, for the principal that asked. `workId` is what its ids are made of. */
const Work = { workId: z.string(), goalId: z.string(), runId: z.string(), principalId: z.string(), steps: z.array(Step), by: Person, at: z.string() };
const Done = { goalId: z.string(), runId: z.string(), steps: z.int() };

export const artifactEvents = eventFamily('artifact', {
  ArtifactDrafted: z.strictObject({ artifactId: z.string(), siteId: z.string(), type: z.enum(ARTIFACT_TYPES), title: ArtifactTitle, ...Version }),
  ArtifactRevised: z.strictObject({ title: ArtifactTitle, ...Version }),
  /** One check of one version. `name` tells checks of one type apart: a schema or a rule that the caller brought. */
  ArtifactEvaluated: z.strictObject({
    version: z.int(), hash: z.string(), type: z.enum(EVALUATION_TYPES), name: z.string().nullable(), status: z.enum(EVALUATION_STATUSES), detail: z.string().nullable(),
    constitutionHash: z.string().nullable(), by: Person, at: z.string(),
  }),
  ArtifactSubmitted: z.strictObject({ version: z.int(), hash: z.string(), approvalId: z.string(), override: Override.nullable(), by: Person, at: z.string() }),
  ArtifactApproved: z.strictObject({ version: z.int(), approvalId: z.string(), by: Person, at: z.string() }),
  /** A person did not agree: back to its makers. */
  ArtifactReturned: z.strictObject({ version: z.int(), approvalId: z.string(), reason: z.string(), by: Person, at: z.string() }),
  ArtifactPublished: z.strictObject({
    version: z.int(), hash: z.string(), ...Passage, by: Person, at: z.string(),
    /** The run that made what the version describes; absent when there was nothing to make. */
    applied: z.strictObject(Done).optional(),
  }),
  ArtifactRolledBack: z.strictObject({
    from: z.int(), to: z.int().nullable(), reason: z.string().nullable(), by: Person, at: z.string(),
    /** What was published had not been finished; it was never public. */
    unfinished: z.literal(true).optional(),
    /** The run that took back what publishing had made, and what was left because people have changed or use it. */
    undone: z.strictObject({ ...Done, kept: z.array(Kept) }).optional(),
  }),
  /** A version passed its gate and is being carried out; it is public when that is done. */
  ArtifactApplying: z.strictObject({ version: z.int(), hash: z.string(), ...Passage, ...Work }),
  /** What publishing made is being taken back. */
  ArtifactUndoing: z.strictObject({ from: z.int(), to: z.int().nullable(), reason: z.string().nullable(), unfinished: z.boolean(), kept: z.array(Kept), ...Work }),
  /** A step waits for a person; `done` steps are behind it. */
  ArtifactWorkWaiting: z.strictObject({ workId: z.string(), done: z.int(), approvalId: z.string(), at: z.string() }),
  /** A step did not go through; those before it stand. Asking again goes on from there. */
  ArtifactWorkFailed: z.strictObject({ workId: z.string(), done: z.int(), reason: z.string(), at: z.string() }),
});
export type ArtifactEvent = EventOf<typeof artifactEvents>;
