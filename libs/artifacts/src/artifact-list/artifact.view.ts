import { z } from 'zod';
import { Kept } from '../apply-artifact/step.schema';
import { ARTIFACT_STATUSES, ARTIFACT_TYPES, ArtifactContent, EVALUATION_STATUSES, EVALUATION_TYPES, Provenance } from '../artifact.schema';
import { currentOf, publicVersionOf, type Evaluation, type KnownArtifact } from '../artifact.state';

/** `hash` is the sha256 of the content's canonical JSON, `bytes` how long that is. */
const VersionView = z.object({ version: z.int(), hash: z.string(), bytes: z.int(), provenance: Provenance, createdAt: z.string() }).meta({ id: 'ArtifactVersion' });

const Lifted = z.object({ reason: z.string(), lifted: z.array(z.object({ evaluation: z.string(), detail: z.string() })) }).nullable();

/** How the version that is public now got there. */
const Metadata = z.object({
  publishedBy: z.string().nullable(),
  publishedAt: z.string().nullable(),
  /** Hash of the constitution in force when it was published, and of the one pinned to it. */
  constitutionHash: z.string().nullable(),
  pinnedConstitutionHash: z.string().nullable(),
  override: Lifted,
  constitutionOverridden: z.object({ reason: z.string(), constitutionHash: z.string(), failed: z.array(z.string()) }).nullable(),
  warnings: z.array(z.string()),
}).meta({ id: 'ArtifactMetadata' });

/** An artifact as a list shows it. `version`, `hash` and `bytes` are those of the last version. */
export const ArtifactSummary = z.object({
  id: z.string(),
  type: z.enum(ARTIFACT_TYPES),
  title: z.string(),
  status: z.enum(ARTIFACT_STATUSES),
  version: z.int(),
  hash: z.string(),
  bytes: z.int(),
  provenance: Provenance,
  runId: z.string().nullable(),
  approvalId: z.string().nullable(),
  publishedVersion: z.int().nullable(),
  createdAt: z.string(),
  changedAt: z.string(),
}).meta({ id: 'ArtifactSummary' });
export type ArtifactSummary = Readonly<z.infer<typeof ArtifactSummary>>;

/** How far publishing or a rollback has come: `waiting` for a person's word on `approvalId`, `failed` for the `reason`; asked for again it goes on. */
const Application = z.object({
  does: z.enum(['publish', 'rollback']), status: z.enum(['applying', 'waiting', 'failed', 'done']), goalId: z.string(), runId: z.string(), steps: z.int(), done: z.int(),
  approvalId: z.string().nullable(), reason: z.string().nullable(), kept: z.array(Kept).readonly(),
}).meta({ id: 'ArtifactApplication' });

/** `kept` is what a rollback left, because people have changed or use it. */
const Chapter = z.object({
  what: z.enum(['published', 'rolled_back']), version: z.int(), by: z.string(), at: z.string(), reason: z.string().nullable(), runId: z.string().nullable(), steps: z.int(),
  kept: z.array(Kept).readonly(),
}).meta({ id: 'ArtifactChapter' });

export const ArtifactView = ArtifactSummary.extend({
  content: ArtifactContent,
  versions: z.array(VersionView).readonly(),
  /** What is public now; an earlier version while the last one is worked on. */
  published: VersionView.extend({ content: ArtifactContent }).nullable(),
  metadata: Metadata,
  application: Application.nullable(),
  history: z.array(Chapter).readonly(),
}).meta({ id: 'Artifact' });
export type ArtifactView = Readonly<z.infer<typeof ArtifactView>>;

/** `constitutionHash` is that of the version pinned to the artifact. */
export const EvaluationView = z.object({
  type: z.enum(EVALUATION_TYPES),
  name: z.string().nullable(),
  status: z.enum(EVALUATION_STATUSES),
  detail: z.string().nullable(),
  constitutionHash: z.string().nullable(),
  version: z.int(),
  hash: z.string(),
  evaluatedBy: z.string(),
  evaluatedAt: z.string(),
}).meta({ id: 'ArtifactEvaluation' });
export type EvaluationView = Readonly<z.infer<typeof EvaluationView>>;

export const artifactSummary = (state: KnownArtifact): ArtifactSummary => {
  const { version, hash, bytes, provenance } = currentOf(state);
  const { artifactId: id, type, title, status, approvalId, createdAt, changedAt } = state;
  return { id, type, title, status, version, hash, bytes, provenance, runId: provenance.runId, approvalId, publishedVersion: publicVersionOf(state)?.version ?? null, createdAt, changedAt };
};

export const artifactView = (state: KnownArtifact): ArtifactView => {
  const publication = state.publications.at(-1);
  return {
    ...artifactSummary(state),
    content: currentOf(state).content,
    versions: state.versions.map(({ content: _content, ...version }) => version),
    published: publicVersionOf(state) ?? null,
    application: applicationOf(state),
    history: state.history,
    metadata: {
      publishedBy: publication?.by.id ?? null, publishedAt: publication?.at ?? null, constitutionHash: publication?.constitutionHash ?? null,
      pinnedConstitutionHash: publication?.pinnedConstitutionHash ?? null, override: publication?.override ?? null,
      constitutionOverridden: publication?.constitutionOverridden ?? null, warnings: publication?.warnings ?? [],
    },
  };
};

const applicationOf = ({ work }: KnownArtifact): ArtifactView['application'] => {
  if (!work) return null;
  const { does, status, goalId, runId, steps, done, approvalId, reason } = work;
  return { does, status, goalId, runId, steps: steps.length, done, approvalId, reason, kept: work.does === 'rollback' ? work.taken.kept : [] };
};

export const evaluationView = ({ by, at, type, name, status, detail, constitutionHash, version, hash }: Evaluation): EvaluationView => ({
  type, name, status, detail, constitutionHash, version, hash, evaluatedBy: by.id, evaluatedAt: at,
});
