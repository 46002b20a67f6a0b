import { Query, type Outcome } from '@app/kernel';
import type { ArtifactStatus, ArtifactType } from '../artifact.schema';
import type { ArtifactSummary, ArtifactView, EvaluationView } from './artifact.view';

export type ArtifactFilter = {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly type?: ArtifactType | undefined;
  readonly status?: ArtifactStatus | undefined;
  readonly runId?: string | undefined;
  readonly minPosition?: bigint | undefined;
};
type Page<Row> = { readonly rows: readonly Row[]; readonly nextCursor: string | null; readonly position: bigint };

export class ListArtifacts extends Query<Page<ArtifactSummary>> {
  constructor(
    readonly siteId: string,
    readonly filter: ArtifactFilter,
  ) {
    super();
  }
}

/** Straight from the log, so that an artifact can be read as soon as it was written. */
export class GetArtifact extends Query<Outcome<ArtifactView>> {
  constructor(
    readonly artifactId: string,
    readonly siteId: string,
  ) {
    super();
  }
}

/** Every evaluation of every version, oldest first, straight from the log; `after` is a stream version. */
export class ListEvaluations extends Query<Outcome<Page<EvaluationView>>> {
  constructor(
    readonly artifactId: string,
    readonly siteId: string,
    readonly page: { readonly limit: number; readonly after: number },
  ) {
    super();
  }
}
