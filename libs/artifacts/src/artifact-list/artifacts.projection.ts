import { projection } from '@app/projections/contract';
import type { ArtifactEvent } from '../artifact.events';
import { artifact, type Artifact, type ArtifactVersion, type KnownArtifact } from '../artifact.state';

/** The summary folds from everything but the contents; those stay in the log. */
export type ArtifactRow = {
  readonly id: string; readonly siteId: string; readonly type: string; readonly status: string; readonly title: string; readonly runId: string | null; readonly artifact: KnownArtifact;
};

/** What there is to do, and to take back, stays in the log as well. */
const idle = { work: null, unfinished: [], history: [] } as const;
const bare = (versions: readonly ArtifactVersion[]) => versions.map((version) => ({ ...version, content: {} }));

const next = (row: ArtifactRow | null, event: ArtifactEvent): ArtifactRow | null => {
  const before: Artifact = row?.artifact ?? artifact.initial;
  const state = artifact.evolve(before, event);
  if (state.status === 'none') return null;
  const { artifactId: id, siteId, type, status, title, versions } = state;
  return { id, siteId, type, status, title, runId: versions.at(-1)?.provenance.runId ?? null, artifact: { ...state, ...idle, evaluations: [], versions: bare(versions), publications: state.publications.map((each) => ({ ...each, parts: [] })) } };
};

/** Every artifact of a site. */
export const artifacts = projection<ArtifactRow, ArtifactEvent>({
  name: 'artifacts',
  version: 2,
  columns: { type: 'text', status: 'text', title: 'text', runId: 'text', artifact: 'jsonb' },
  indexes: [['status', 'id'], ['runId']],
  on: {
    ArtifactDrafted: next, ArtifactRevised: next, ArtifactEvaluated: next, ArtifactSubmitted: next, ArtifactApproved: next, ArtifactReturned: next, ArtifactPublished: next,
    ArtifactRolledBack: next, ArtifactApplying: next, ArtifactUndoing: next, ArtifactWorkWaiting: next, ArtifactWorkFailed: next,
  },
});
