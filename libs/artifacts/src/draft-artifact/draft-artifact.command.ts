import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { ARTIFACT_TYPES, ArtifactContent, ArtifactTitle, Sources } from '../artifact.schema';
import type { ArtifactView } from '../artifact-list/artifact.view';

/** With `runId` the artifact belongs to that run, which pays its bytes; `model` is what wrote it, when the run does not say. */
export const DraftArtifactBody = z.strictObject({
  type: z.enum(ARTIFACT_TYPES),
  title: ArtifactTitle,
  content: ArtifactContent,
  runId: z.string().min(1).max(100).optional(),
  sources: Sources.optional(),
  model: z.string().trim().min(1).max(200).optional(),
}).meta({ id: 'DraftArtifact' });
export type DraftArtifactBody = z.infer<typeof DraftArtifactBody>;

export class DraftArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly body: DraftArtifactBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
