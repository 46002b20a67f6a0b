import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { ARTIFACT_TYPES, ArtifactContent, ArtifactTitle, EVALUATION_STATUSES, EVALUATION_TYPES, Person, Provenance } from './artifact.schema';

const Version = { version: z.int().min(1), hash: z.string(), bytes: z.int().min(0), content: ArtifactContent, provenance: Provenance, at: z.string() };
/** What stood in the way: the evaluation that failed, or `none` when there was none that passed. */
const Block = z.strictObject({ evaluation: z.string(), detail: z.string() });
const Override = z.strictObject({ reason: z.string(), lifted: z.array(Block) });

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
    version: z.int(), hash: z.string(), previousVersion: z.int().nullable(),
    /** Hash of the version in force at this moment, and of the one pinned to the artifact. */
    constitutionHash: z.string().nullable(), pinnedConstitutionHash: z.string().nullable(),
    override: Override.nullable(),
    constitutionOverridden: z.strictObject({ reason: z.string(), constitutionHash: z.string(), failed: z.array(z.string()) }).nullable(),
    warnings: z.array(z.string()), by: Person, at: z.string(),
  }),
  ArtifactRolledBack: z.strictObject({ from: z.int(), to: z.int().nullable(), reason: z.string().nullable(), by: Person, at: z.string() }),
});
export type ArtifactEvent = EventOf<typeof artifactEvents>;
