import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { OverrideReason } from '../artifact.schema';
import type { ArtifactView } from '../artifact-list/artifact.view';

export const SubmitArtifactBody = z.strictObject({ overrideReason: OverrideReason.optional() }).meta({ id: 'SubmitArtifact' });
export type SubmitArtifactBody = z.infer<typeof SubmitArtifactBody>;

/** Asks a person to agree to the last version. */
export class SubmitArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly body: SubmitArtifactBody,
    readonly context: Context,
  ) {
    super();
  }
}
