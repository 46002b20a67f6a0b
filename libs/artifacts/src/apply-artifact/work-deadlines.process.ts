import type { Recorded } from '@app/kernel';
import type { ArtifactEvent } from '../artifact.events';

type Change = { readonly set: string; readonly at: string; readonly topic: string } | { readonly clear: string };

/** The request that began the work carries it out; this long after, somebody looks whether it came to an end. */
const REQUEST_FIRST_MS = 25_000;

/** What each event sets and clears: an artifact has at most one piece of work under way. */
export const workDeadlines = ({ streamId, type, data }: Recorded<ArtifactEvent>): readonly Change[] => {
  const artifactId = streamId.slice('artifact-'.length);
  switch (type) {
    case 'ArtifactApplying':
    case 'ArtifactUndoing':
      return [{ set: artifactId, at: new Date(Date.parse(data.at) + REQUEST_FIRST_MS).toISOString(), topic: 'work' }];
    // The request is over, so whoever looks does so at once, and then ever more rarely.
    case 'ArtifactWorkWaiting':
      return [{ set: artifactId, at: data.at, topic: 'work' }];
    case 'ArtifactPublished':
    case 'ArtifactRolledBack':
    case 'ArtifactWorkFailed':
      return [{ clear: artifactId }];
    default:
      return [];
  }
};
