import { Evaluators } from '@app/constitution/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { EvaluationView } from '../artifact-list/artifact.view';

/** One check to make. A schema or rules of the caller's stand beside the product's own check of the type and never in its place. */
export const RequestedEvaluation = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('json_schema'), schema: z.record(z.string(), z.json()).optional() }),
  z.strictObject({ type: z.literal('api_spec') }),
  z.strictObject({ type: z.literal('migration') }),
  z.strictObject({ type: z.literal('permission_diff') }),
  z.strictObject({ type: z.literal('prompt_safety') }),
  z.strictObject({ type: z.literal('constitution') }),
  z.strictObject({
    type: z.literal('custom_rule'), name: z.string().trim().min(1).max(100),
    rules: Evaluators.refine((rules) => rules.every(({ type }) => type === 'rule'), 'Rules only; a judge belongs into the constitution'),
  }),
]).meta({ id: 'RequestedEvaluation' });
export type RequestedEvaluation = z.infer<typeof RequestedEvaluation>;

/** Without a list the checks that suit the type of the artifact are made. */
export const EvaluateArtifactBody = z.strictObject({ evaluations: z.array(RequestedEvaluation).min(1).max(20).optional() }).meta({ id: 'EvaluateArtifact' });
export type EvaluateArtifactBody = z.infer<typeof EvaluateArtifactBody>;

export const EvaluatedArtifact = z.object({ artifactId: z.string(), version: z.int(), hash: z.string(), evaluations: z.array(EvaluationView).readonly() }).meta({ id: 'EvaluatedArtifact' });
export type EvaluatedArtifact = z.infer<typeof EvaluatedArtifact>;

export class EvaluateArtifact extends Command<Outcome<EvaluatedArtifact>> {
  constructor(
    readonly artifactId: string,
    readonly body: EvaluateArtifactBody,
    readonly context: Context,
  ) {
    super();
  }
}
