import { accept, missing, type Context, type Decision } from '@app/kernel';
import type { ArtifactEvent } from '../artifact.events';
import { currentOf, type Artifact } from '../artifact.state';
import { personOfActor } from '../person.policy';
import type { Result } from './evaluation.policy';

/** Writes down what was found out about one version; each check is a fact of its own. `version` is the one that was looked at. */
export const recordEvaluations = (
  state: Artifact,
  version: number,
  results: readonly Result[],
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ArtifactEvent[]> => {
  if (state.status === 'none' || state.siteId !== siteId) return missing();
  const seen = state.versions.find((each) => each.version === version) ?? currentOf(state);
  const constitutionHash = seen.provenance.constitution?.hash ?? null;
  return accept(
    results.map((result) => ({
      type: 'ArtifactEvaluated', data: { version: seen.version, hash: seen.hash, ...result, constitutionHash, by: personOfActor(actor), at: now.toISOString() },
    })),
  );
};
