import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { approval, type Approval, type ApprovalEvent, type Reviewer } from '@app/approvals/contract';
import type { PublishVerdict } from '@app/constitution/contract';
import { governance } from '@app/governance/contract';
import { ada, context, robot } from '@app/kernel/testing';
import type { Decision } from '@app/kernel';
import { run } from '@app/runs/contract';
import type { ArtifactEvent } from './artifact.events';
import { ARTIFACT_TYPES, type ArtifactType } from './artifact.schema';
import { artifact, currentOf, type Artifact } from './artifact.state';
import { decideArtifact } from './decide-artifact/decide-artifact.decide';
import { recordEvaluations } from './evaluate-artifact/evaluate-artifact.decide';
import { blocksOf, isRisky } from './gate.policy';
import { publishArtifact } from './publish-artifact/publish-artifact.decide';
import { reviseArtifact } from './revise-artifact/revise-artifact.decide';
import { rollbackArtifact } from './rollback-artifact/rollback-artifact.decide';
import { submitArtifact } from './submit-artifact/submit-artifact.decide';

const site = governance.evolve(governance.initial, { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } });
const pat: Reviewer = { actor: ada, isAdmin: false, channel: 'api', assurance: 'api_key' };
const author = {
  principal: { id: 'key_ada', kind: 'human' as const, name: 'Ada', siteId: 'site_a', sites: ['site_a'], capabilities: [], roles: [], platformAdmin: false },
  by: { kind: 'human' as const, id: 'key_ada' }, runId: null, sources: [], model: null,
};
const provenance = { by: author.by, runId: null, goalId: null, agentName: null, agentRole: null, model: null, constitution: null, sources: [] };
const drafted = (type: ArtifactType): ArtifactEvent => ({
  type: 'ArtifactDrafted', data: { artifactId: 'art_1', siteId: 'site_a', type, title: 'A', version: 1, hash: 'h0', bytes: 2, content: {}, provenance, at: '2030-01-01T10:00:00.000Z' },
});
const open: PublishVerdict = { allowed: true, constitutionHash: null, results: [], blocking: [] };
const closed: PublishVerdict = { ...open, allowed: false, blocking: ['title'] };

/** The pure decisions over one artifact and its approvals, without a log between them. */
const world = (type: ArtifactType) => {
  let state: Artifact = artifact.evolve(artifact.initial, drafted(type));
  const approvals = new Map<string, Approval>();
  let asked = 0;
  const wrote = (events: readonly ArtifactEvent[] = []) => {
    for (const event of events) state = artifact.evolve(state, event);
    return events;
  };
  const answered = (id: string, events: readonly ApprovalEvent[] = []) => events.forEach((event) => approvals.set(id, approval.evolve(approvals.get(id) ?? approval.initial, event)));
  const last = () => (state.status === 'none' ? 'none' : (state.approvalId ?? 'none'));
  const taken = <E>(decision: Decision<E>) => (decision.ok ? decision.events : undefined);
  return {
    state: () => {
      if (state.status === 'none') throw new Error('There is always one');
      return state;
    },
    evaluate: (kind: 'json_schema' | 'prompt_safety', status: 'passed' | 'failed') => wrote(taken(recordEvaluations(state, currentOf(state as never).version, [{ type: kind, name: null, status, detail: null }], context()))),
    revise: (hash: string) => {
      const id = last();
      const events = taken(reviseArtifact({ artifact: state, approval: approvals.get(id) ?? approval.initial, run: run.initial, governance: site }, { content: {} }, author, { hash, bytes: 2 }, context()));
      answered(id, events?.approval);
      return wrote(events?.artifact);
    },
    submit: (verdict: PublishVerdict, overrideReason?: string) => {
      const approvalId = `appr_${++asked}`;
      const events = taken(submitArtifact({ artifact: state, before: approvals.get(last()) ?? approval.initial, governance: site }, verdict, { approvalId, actionDigest: 'd', overrideReason }, context()));
      answered(approvalId, events?.approval);
      return wrote(events?.artifact);
    },
    decide: (decision: 'approved' | 'rejected', reviewer = pat) => {
      const id = last();
      const events = taken(decideArtifact({ artifact: state, approval: approvals.get(id) ?? approval.initial, governance: site }, { decision, reason: 'So' }, reviewer, context()));
      answered(id, events?.approval);
      return wrote(events?.artifact);
    },
    publish: (verdict: PublishVerdict, overrideReason?: string, actor = ada) => wrote(taken(publishArtifact({ artifact: state, governance: site }, verdict, overrideReason, null, context({ actor })))),
    rollback: () => wrote(taken(rollbackArtifact({ artifact: state, governance: site }, {}, null, context()))),
  };
};

describe('The life of an artifact', () => {
  const verdict = fc.constantFrom(open, closed);
  const reason = fc.constantFrom(undefined, 'Now');
  const step = fc.oneof(
    fc.tuple(fc.constant('evaluate' as const), fc.constantFrom('json_schema' as const, 'prompt_safety' as const), fc.constantFrom('passed' as const, 'failed' as const)),
    fc.tuple(fc.constant('revise' as const), fc.constantFrom('h0', 'h1')),
    fc.tuple(fc.constant('submit' as const), verdict, reason),
    fc.tuple(fc.constant('decide' as const), fc.constantFrom('approved' as const, 'rejected' as const)),
    fc.tuple(fc.constant('publish' as const), verdict, reason),
    fc.tuple(fc.constant('rollback' as const)),
  );

  it('[ARTIFACT-010] [ARTIFACT-013] never publishes what is risky without an approval of exactly that version, nor what is blocked or unproven without a reason', () => {
    let published = 0;
    fc.assert(
      fc.property(fc.constantFrom(...ARTIFACT_TYPES), fc.array(step, { maxLength: 40 }), (type, steps) => {
        const { state, ...acts } = world(type);
        const history: ArtifactEvent[] = [];
        for (const [act, ...args] of steps) {
          const before = state();
          const gate = act === 'publish' || act === 'submit' ? (args as [PublishVerdict, string | undefined]) : undefined;
          const events = (acts[act] as (...given: unknown[]) => readonly ArtifactEvent[])(...args);
          for (const event of events) {
            if (event.type === 'ArtifactPublished' || event.type === 'ArtifactSubmitted') {
              const blocks = blocksOf(before, gate![0]);
              expect(event.data.override?.lifted ?? []).toEqual(blocks);
              if (isRisky(before) && !before.evaluations.some(({ status }) => status === 'passed')) expect(event.data.override?.reason).toBe('Now');
            }
            if (event.type === 'ArtifactPublished') {
              published++;
              const of = (one: ArtifactEvent) => 'version' in one.data && one.data.version === event.data.version;
              if (isRisky(before)) expect(history.some((one) => one.type === 'ArtifactApproved' && of(one))).toBe(true);
              expect(history.some((one) => one.type === 'ArtifactPublished' && of(one))).toBe(false);
            }
          }
          history.push(...events);
          const publicNow = history.reduce<number[]>((stack, { type: kind, data }) => (kind === 'ArtifactPublished' ? [...stack, (data as { version: number }).version] : kind === 'ArtifactRolledBack' ? stack.slice(0, -1) : stack), []);
          expect(state().publications.map(({ version }) => version)).toEqual(publicNow);
        }
      }),
      { numRuns: 500 },
    );
    expect(published).toBeGreaterThan(50);
  });

  it('an agent overrules no failed check and decides no review', () => {
    const { evaluate, publish, submit, decide, state } = world('report');
    evaluate('json_schema', 'failed');
    expect(publish(open, 'It is fine', robot)).toEqual([]);
    submit(open, 'Look at it');
    evaluate('prompt_safety', 'passed');
    expect(decide('approved', { ...pat, actor: robot })).toEqual([]);
    expect(decide('approved', { ...pat, actor: robot, channel: 'agent_review', review: { runId: 'run_1', capabilities: ['*'], confidence: 1, lineage: [], subjectLineage: [] } })).toEqual([]);
    expect(state().status).toBe('in_review');
  });
});
