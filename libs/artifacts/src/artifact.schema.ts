import { z } from 'zod';

export const ARTIFACT_TYPES = ['schema_diff', 'page_spec', 'component_spec', 'seed_data', 'api_spec', 'prompt', 'migration', 'plan', 'report'] as const;
export const ARTIFACT_STATUSES = ['draft', 'in_review', 'approved', 'published', 'rolled_back'] as const;
export const EVALUATION_TYPES = ['json_schema', 'api_spec', 'migration', 'permission_diff', 'prompt_safety', 'constitution', 'custom_rule'] as const;
export const EVALUATION_STATUSES = ['passed', 'failed'] as const;

export type ArtifactType = (typeof ARTIFACT_TYPES)[number];
export type ArtifactStatus = (typeof ARTIFACT_STATUSES)[number];

export const ArtifactTitle = z.string().trim().min(1).max(200);
/** What was made, as a JSON object. Its size is that of its canonical JSON in UTF-8. */
export const ArtifactContent = z.record(z.string(), z.json());
export type ArtifactContent = Readonly<z.infer<typeof ArtifactContent>>;

const Person = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional(), userId: z.string().optional() });

/**
 * Where a version comes from. `constitution` is the one its run was bound to, or, without a run, the one in force when it was written; null
 * when there was none. Its hash is recorded with every evaluation of the version.
 */
export const Provenance = z.strictObject({
  by: Person,
  runId: z.string().nullable(),
  goalId: z.string().nullable(),
  agentName: z.string().nullable(),
  agentRole: z.string().nullable(),
  model: z.string().nullable(),
  constitution: z.strictObject({ constitutionId: z.string(), hash: z.string() }).nullable(),
  sources: z.array(z.string()),
}).meta({ id: 'ArtifactProvenance' });
export type Provenance = Readonly<z.infer<typeof Provenance>>;

/** What somebody says about a version that no check can find out. */
export const Sources = z.array(z.string().trim().min(1).max(500)).max(50);
export const OverrideReason = z.string().trim().min(1).max(2_000);

export { Person };
