import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { OverrideReason } from '../artifact.schema';
import type { ArtifactView } from '../artifact-list/artifact.view';

export const PublishArtifactBody = z.strictObject({ overrideReason: OverrideReason.optional() }).meta({ id: 'PublishArtifact' });
export type PublishArtifactBody = z.infer<typeof PublishArtifactBody>;

export class PublishArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly body: PublishArtifactBody,
    readonly context: Context,
  ) {
    super();
  }
}
