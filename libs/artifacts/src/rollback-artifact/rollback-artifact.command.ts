import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import type { ArtifactView } from '../artifact-list/artifact.view';

export const RollbackArtifactBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() }).meta({ id: 'RollbackArtifact' });
export type RollbackArtifactBody = z.infer<typeof RollbackArtifactBody>;

/** Takes back the version that is public, and, through the door as this principal, what publishing it made; the one published before it is public again, if there was one. */
export class RollbackArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly body: RollbackArtifactBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
