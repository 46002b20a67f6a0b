import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { ArtifactView } from '../artifact-list/artifact.view';

export const RollbackArtifactBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() }).meta({ id: 'RollbackArtifact' });
export type RollbackArtifactBody = z.infer<typeof RollbackArtifactBody>;

/** Takes the version that is public back; the one published before it is public again, if there was one. */
export class RollbackArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly body: RollbackArtifactBody,
    readonly context: Context,
  ) {
    super();
  }
}
