import { Query } from '@app/kernel';
import type { ArtifactContent, ArtifactType } from '../artifact.schema';

/** Why content would not do as an artifact of this type, one line each; asked before there is one. */
export class CheckContent extends Query<readonly string[]> {
  constructor(
    readonly type: ArtifactType,
    readonly content: ArtifactContent,
  ) {
    super();
  }
}
