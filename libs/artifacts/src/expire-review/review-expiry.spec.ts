import { describe, expect, it } from '@jest/globals';
import { approval, approvalEvents, type ApprovalEvent } from '@app/approvals/contract';
import { Executor, InMemoryEventStore, States } from '@app/event-store';
import { accept, Catalogue, type Context } from '@app/kernel';
import { artifactEvents, type ArtifactEvent } from '../artifact.events';
import { artifact } from '../artifact.state';
import { reviewExpiry } from './review-expiry';

const DUE = '2030-01-08T10:00:00.000Z';
const by = { kind: 'human', id: 'key_ada' } as const;
const drafted: ArtifactEvent = {
  type: 'ArtifactDrafted',
  data: {
    artifactId: 'art_1', siteId: 'site_a', type: 'report', title: 'Stock', version: 1, hash: 'a'.repeat(64), bytes: 2, content: {}, at: '2030-01-01T10:00:00.000Z',
    provenance: { by, runId: null, goalId: null, agentName: null, agentRole: null, model: null, constitution: null, sources: [] },
  },
};
const submitted: ArtifactEvent = { type: 'ArtifactSubmitted', data: { version: 1, hash: 'a'.repeat(64), approvalId: 'appr_1', override: null, by, at: '2030-01-01T10:00:00.000Z' } };
const asked: ApprovalEvent = {
  type: 'ApprovalRequested',
  data: {
    approvalId: 'appr_1', siteId: 'site_a', kind: 'artifact', domain: 'tools', subject: 'Publish', goalId: null, runId: null, callId: null, tool: null, arguments: { artifactId: 'art_1' },
    actionDigest: 'b'.repeat(64), capability: 'artifacts:publish', policy: 'artifact_review', agentRole: null, quorum: 1, humanOnly: true, autoCommitAt: null, requestedBy: by,
    requestedAt: '2030-01-01T10:00:00.000Z', expiresAt: DUE,
  },
};

const world = async (...history: readonly ArtifactEvent[]) => {
  const store = new InMemoryEventStore({ catalogue: new Catalogue(artifactEvents, approvalEvents) });
  const executor = new Executor(store, new States(store));
  const refs = { artifact: { aggregate: artifact, id: 'art_1' }, approval: { aggregate: approval, id: 'appr_1' } };
  const context = (commandId: string, now: string): Context => ({ actor: { kind: 'service', id: 'approval-expiry' }, siteId: 'site_a', now: new Date(now), correlationId: 't', commandId, repeatable: true });
  await executor.execute(refs, context('begin', '2030-01-01T10:00:00.000Z'), () => accept({ artifact: history, approval: [asked] }));
  return {
    expire: (now: string) => reviewExpiry(executor)('appr_1', context(`expire ${now}`, now)),
    statuses: async () => [(await executor.current(artifact, 'art_1')).state.status, (await executor.current(approval, 'appr_1')).state.status],
  };
};

describe('A review that nobody decides in time', () => {
  it('ends unapproved, and the artifact is a draft again; a timer that fires twice or early changes nothing', async () => {
    const { expire, statuses } = await world(drafted, submitted);
    expect([await expire('2030-01-08T09:59:59.999Z'), await statuses()]).toEqual(['done', ['in_review', 'pending']]);
    for (const now of [DUE, DUE, '2030-02-01T00:00:00.000Z']) expect([await expire(now), await statuses()]).toEqual(['done', ['draft', 'expired']]);
  });

  it('says nothing of an artifact that has moved on', async () => {
    const { expire, statuses } = await world(drafted);
    expect([await expire(DUE), await statuses()]).toEqual(['done', ['draft', 'expired']]);
  });
});
