import type { Approval, ApprovalEvent } from '@app/approvals/contract';
import type { Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { Run, RunEvent } from '@app/runs/contract';
import type { ArtifactEvent } from '../artifact.events';
import { currentOf, workUnderWay, type Artifact } from '../artifact.state';
import { attach, type Author } from '../attachment.policy';
import type { ReviseArtifactBody } from './revise-artifact.command';

type States = { readonly artifact: Artifact; readonly approval: Approval; readonly run: Run; readonly governance: Governance };
type Events = { readonly artifact: readonly ArtifactEvent[]; readonly approval: readonly ApprovalEvent[]; readonly run: readonly RunEvent[] };

/**
 * Another version. It is a draft whatever the one before it was: checks and approval belong to what was looked at. What is public stays so.
 * The same content and title again is no version.
 */
export const reviseArtifact = (
  states: States,
  { title, content, baseVersion }: ReviseArtifactBody,
  author: Author,
  { hash, bytes }: { readonly hash: string; readonly bytes: number },
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<Events> => {
  const { artifact, approval } = states;
  if (artifact.status === 'none' || artifact.siteId !== siteId) return missing();
  const { artifactId } = artifact;
  const work = workUnderWay(artifact);
  if (work) return reject('conflict', 'CONFLICT', 'This version is being carried out or taken back; wait until that is over, or roll it back.', { does: work.does, runId: work.runId, approvalId: work.approvalId });
  const current = currentOf(artifact);
  const named = title ?? artifact.title;
  if (current.hash === hash && artifact.title === named && artifact.status !== 'rolled_back') return accept({ artifact: [], approval: [], run: [] });
  if (baseVersion !== undefined && baseVersion !== current.version) {
    return reject('conflict', 'CONFLICT', `Version ${current.version} was written meanwhile; load the artifact again.`, { version: current.version, baseVersion });
  }
  const attached = attach(states, author, { artifactId, bytes, siteId });
  if (!attached.ok) return attached;
  const version = current.version + 1;
  return accept({
    artifact: [{ type: 'ArtifactRevised', data: { title: named, version, hash, bytes, content, provenance: attached.provenance, at: now.toISOString() } }],
    approval: approval.status === 'pending' ? [{ type: 'ApprovalSuperseded', data: { reason: `version ${version} was written` } }] : [],
    run: attached.run,
  });
};
