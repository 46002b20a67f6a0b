import { settledAlready, type Approval, type ApprovalEvent } from '@app/approvals/contract';
import type { PublishVerdict } from '@app/constitution/contract';
import type { Governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { ArtifactEvent } from '../artifact.events';
import type { ArtifactType } from '../artifact.schema';
import { currentOf, type Artifact } from '../artifact.state';
import { frozen } from '../attachment.policy';
import { passGate } from '../gate.policy';
import { personOfActor } from '../person.policy';

type States = { readonly artifact: Artifact; readonly before: Approval; readonly governance: Governance };
type Events = { readonly artifact: readonly ArtifactEvent[]; readonly approval: readonly ApprovalEvent[] };
type Asking = { readonly approvalId: string; readonly actionDigest: string; readonly overrideReason: string | undefined };

/** Whoever reviews changes of this kind. */
const DOMAINS: Partial<Record<ArtifactType, 'schema' | 'items'>> = { schema_diff: 'schema', migration: 'schema', seed_data: 'items' };

/** Asks once per version: while a question is open, asking again answers with it; one that ran out is asked anew. */
export const submitArtifact = (
  { artifact, before, governance }: States,
  verdict: PublishVerdict,
  { approvalId, actionDigest, overrideReason }: Asking,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Events> => {
  if (artifact.status === 'none' || artifact.siteId !== siteId || governance.status === 'none') return missing();
  const { artifactId, status, type, title } = artifact;
  const isOpen = status === 'in_review' && before.status === 'pending' && settledAlready(before, now) === undefined;
  if (isOpen) return accept({ artifact: [], approval: [] });
  if (status !== 'draft' && status !== 'in_review') {
    return reject('conflict', 'CONFLICT', `Only a draft can be submitted; this one is ${status}. Revise it to begin anew.`, { status });
  }
  const { version, hash, bytes, provenance } = currentOf(artifact);
  const passed = frozen(governance, provenance.agentRole) ?? passGate(artifact, verdict, overrideReason, actor);
  if (!passed.ok) return passed;
  const by = personOfActor(actor);
  const at = now.toISOString();
  const { approvalExpiryMs, approvalExpiryMsByKind } = governance.settings;
  return accept({
    artifact: [{ type: 'ArtifactSubmitted', data: { version, hash, approvalId, override: passed.override, by, at } }],
    approval: [
      {
        type: 'ApprovalRequested',
        data: {
          approvalId, siteId, kind: 'artifact', domain: DOMAINS[type] ?? 'tools', subject: `Publish ${type} "${title}", version ${version}`.slice(0, 300),
          goalId: provenance.goalId, runId: provenance.runId, callId: null, tool: null,
          arguments: { artifactId, type, title, version, hash, bytes, ...(passed.override !== null && { override: passed.override }) },
          actionDigest, capability: 'artifacts:publish', policy: 'artifact_review', agentRole: provenance.agentRole, quorum: 1, humanOnly: true, autoCommitAt: null,
          requestedBy: by, requestedAt: at, expiresAt: new Date(now.getTime() + (approvalExpiryMsByKind.artifact ?? approvalExpiryMs)).toISOString(),
        },
      },
    ],
  });
};
