import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { OverrideReason } from '../artifact.schema';
import type { ArtifactView } from '../artifact-list/artifact.view';

export const PublishArtifactBody = z.strictObject({ overrideReason: OverrideReason.optional() }).meta({ id: 'PublishArtifact' });
export type PublishArtifactBody = z.infer<typeof PublishArtifactBody>;

/** Makes the last version public; what a `schema_diff` or `seed_data` describes is made first, through the door, as this principal. */
export class PublishArtifact extends Command<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly body: PublishArtifactBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
