import type { Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { ArtifactEvent } from '../artifact.events';
import type { Artifact } from '../artifact.state';
import type { RollbackArtifactBody } from './rollback-artifact.command';
import { frozen } from '../attachment.policy';
import { personOfActor } from '../person.policy';

export const rollbackArtifact = (
  { artifact, governance }: { readonly artifact: Artifact; readonly governance: Governance },
  { reason }: RollbackArtifactBody,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ArtifactEvent[]> => {
  if (artifact.status === 'none' || artifact.siteId !== siteId || governance.status === 'none') return missing();
  const published = artifact.publications.at(-1);
  if (!published) return reject('conflict', 'CONFLICT', 'No version of this artifact is public.', { status: artifact.status });
  const refused = frozen(governance, actor.role ?? null);
  if (refused) return refused;
  const to = artifact.publications.at(-2)?.version ?? null;
  return accept([{ type: 'ArtifactRolledBack', data: { from: published.version, to, reason: reason ?? null, by: personOfActor(actor), at: now.toISOString() } }]);
};
