import type { Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Undertaking } from '../apply-artifact/undertaking.policy';
import type { Kept } from '../apply-artifact/step.schema';
import type { ArtifactEvent } from '../artifact.events';
import { currentOf, publicVersionOf, workUnderWay, type Artifact, type KnownArtifact, type Part } from '../artifact.state';
import { frozen } from '../attachment.policy';
import { personOfActor } from '../person.policy';
import type { RollbackArtifactBody } from './rollback-artifact.command';

/** What there is to take back: a publication that was begun and not finished, else the version that is public. Null: neither. */
export type Takeback = { readonly from: number; readonly to: number | null; readonly unfinished: boolean; readonly parts: readonly Part[] };
export const takebackOf = (artifact: KnownArtifact): Takeback | null => {
  const { unfinished, publications } = artifact;
  if (unfinished.length > 0) return { from: currentOf(artifact).version, to: publicVersionOf(artifact)?.version ?? null, unfinished: true, parts: unfinished };
  const published = publications.at(-1);
  return published ? { from: published.version, to: publications.at(-2)?.version ?? null, unfinished: false, parts: published.parts } : null;
};

export type Undoing = Undertaking & { readonly kept: readonly Kept[] };

/**
 * Takes back what was published last; the version before is public again. With steps to take back it only begins here. `workId` is that of the
 * publication that was looked at: when it has gone on meanwhile, what is to be undone is another matter.
 */
export const rollbackArtifact = (
  { artifact, governance }: { readonly artifact: Artifact; readonly governance: Governance },
  { reason = null }: { readonly reason?: RollbackArtifactBody['reason'] | null },
  undoing: Undoing | null,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ArtifactEvent[]> => {
  if (artifact.status === 'none' || artifact.siteId !== siteId || governance.status === 'none') return missing();
  const taken = takebackOf(artifact);
  if (!taken) return reject('conflict', 'CONFLICT', 'No version of this artifact is public.', { status: artifact.status });
  const work = workUnderWay(artifact);
  if (work?.does === 'rollback') return accept([]);
  const refused = frozen(governance, actor.role ?? null);
  if (refused) return refused;
  const { from, to, unfinished } = taken;
  const words = { from, to, reason, by: personOfActor(actor), at: now.toISOString() };
  if (undoing && undoing.steps.length > 0) {
    const { kept, steps, ...run } = undoing;
    return accept([{ type: 'ArtifactUndoing', data: { ...words, unfinished, kept: [...kept], ...run, steps: [...steps] } }]);
  }
  const left = undoing && undoing.kept.length > 0 ? { undone: { goalId: undoing.goalId, runId: undoing.runId, steps: 0, kept: [...undoing.kept] } } : {};
  return accept([{ type: 'ArtifactRolledBack', data: { ...words, ...(unfinished && { unfinished: true as const }), ...left } }]);
};
