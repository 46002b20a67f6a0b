import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { ArtifactContent, ArtifactTitle, Sources } from '../artifact.schema';
import type { ArtifactView } from '../artifact-list/artifact.view';

/** `baseVersion` is the version that was changed; when somebody else has revised it meanwhile, that is a conflict. */
export const ReviseArtifactBody = z.strictObject({
  content: ArtifactContent,
  title: ArtifactTitle.optional(),
  baseVersion: z.int().min(1).optional(),
  runId: z.string().min(1).max(100).optional(),
  sources: Sources.optional(),
  model: z.string().trim().min(1).max(200).optional(),
}).meta({ id: 'ReviseArtifact' });
export type ReviseArtifactBody = z.infer<typeof ReviseArtifactBody>;

export class ReviseArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly body: ReviseArtifactBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
