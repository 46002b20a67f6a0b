import { warnings, type PublishVerdict } from '@app/constitution/contract';
import type { Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Undertaking } from '../apply-artifact/undertaking.policy';
import type { ArtifactEvent } from '../artifact.events';
import { currentOf, publicVersionOf, workUnderWay, type Artifact } from '../artifact.state';
import { frozen } from '../attachment.policy';
import { isRisky, passGate } from '../gate.policy';
import { personOfActor } from '../person.policy';

/**
 * Makes the last version public, once. A reason lifts failed checks and nothing else: what is risky needs a person's approval besides, and a
 * version that was taken back is not published again. With steps to carry out it only begins here: it is public when they are done.
 */
export const publishArtifact = (
  { artifact, governance }: { readonly artifact: Artifact; readonly governance: Governance },
  verdict: PublishVerdict,
  overrideReason: string | undefined,
  undertaking: Undertaking | null,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<readonly ArtifactEvent[]> => {
  if (artifact.status === 'none' || artifact.siteId !== siteId || governance.status === 'none') return missing();
  const { status } = artifact;
  if (status === 'published') return accept([]);
  if (status === 'rolled_back') return reject('conflict', 'CONFLICT', 'This version was rolled back; revise the artifact to publish it anew.', { status });
  if (status === 'in_review') return reject('conflict', 'CONFLICT', 'This version waits for its approval.', { status, approvalId: artifact.approvalId, needs: 'approval' });
  const work = workUnderWay(artifact);
  if (work?.does === 'publish') return accept([]);
  if (work) return reject('conflict', 'CONFLICT', 'This artifact is being rolled back; wait until that is over.', { status, runId: work.runId, approvalId: work.approvalId });
  const { version, hash, provenance } = currentOf(artifact);
  const passed = frozen(governance, provenance.agentRole) ?? passGate(artifact, verdict, overrideReason, actor);
  if (!passed.ok) return passed;
  if (isRisky(artifact) && status !== 'approved') {
    return reject('conflict', 'CONFLICT', 'This artifact is risky and nobody has approved it; submit it first.', { status, needs: 'approval' });
  }
  const { constitutionHash, constitutionOverridden, results } = verdict;
  const passage = {
    version, hash, previousVersion: publicVersionOf(artifact)?.version ?? null, constitutionHash, pinnedConstitutionHash: provenance.constitution?.hash ?? null, override: passed.override,
    constitutionOverridden: constitutionOverridden ? { ...constitutionOverridden, failed: [...constitutionOverridden.failed] } : null,
    warnings: warnings(results).map(({ evaluatorId, detail }) => `${evaluatorId}: ${detail ?? 'failed'}`), by: personOfActor(actor), at: now.toISOString(),
  };
  if (!undertaking || undertaking.steps.length === 0) return accept([{ type: 'ArtifactPublished', data: passage }]);
  return accept([{ type: 'ArtifactApplying', data: { ...passage, ...undertaking, steps: [...undertaking.steps] } }]);
};
