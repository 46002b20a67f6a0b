import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { Executor, InMemoryEventStore, States } from '@app/event-store';
import { governance, governanceEvents } from '@app/governance/contract';
import { accept, Catalogue, type Context } from '@app/kernel';
import { run, runEvents, type RunEvent } from '@app/runs/contract';
import { ActivateConstitution } from '../activate-constitution/activate-constitution.command';
import { ActivateConstitutionHandler } from '../activate-constitution/activate-constitution.handler';
import { constitutionHash } from '../constitution-hash';
import { constitutionEvents } from '../constitution.events';
import { Constitutions } from '../constitutions';
import { DraftConstitution } from '../draft-constitution/draft-constitution.command';
import { DraftConstitutionHandler } from '../draft-constitution/draft-constitution.handler';
import { Evaluators } from '../evaluator.schema';
import { NoLlmJudge } from '../no-llm-judge';
import { EvaluateForRunHandler } from './evaluate-for-run.handler';
import { EvaluateForRun } from './evaluate-for-run.query';

const envelope = (runId: string) => ({
  goalId: 'goal_1', runId, agentName: 'robot', context: { siteId: 'site_a', collections: [], policySnapshotHash: 'h' },
  budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 }, risk: 'safe' as const, approvalPolicy: 'none' as const, artifacts: [],
  capabilities: [], principalId: 'key_robot',
});

/** A site of its own in memory, with one draft after another to activate. */
const world = async () => {
  const store = new InMemoryEventStore({ catalogue: new Catalogue(governanceEvents, runEvents, constitutionEvents) });
  const executor = new Executor(store, new States(store));
  const constitutions = new Constitutions(store, executor, new NoLlmJudge());
  let commands = 0;
  const context = (): Context => ({ actor: { kind: 'human', id: 'key_ada' }, siteId: 'site_a', now: new Date(), correlationId: 'test', commandId: `command-${commands++}` });
  const governed = { aggregate: governance, id: 'site_a' };
  await executor.execute({ governed }, context(), () => accept({ governed: [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }] }));
  const append = (runId: string, events: readonly RunEvent[]) => executor.execute({ run: { aggregate: run, id: runId } }, context(), () => accept({ run: events }));
  return {
    activateNext: async (n: number) => {
      const evaluators = Evaluators.parse([{ id: `rule-${n}`, type: 'rule', rule: 'required', field: 'title' }]);
      const drafted = await new DraftConstitutionHandler(executor, constitutions).execute(new DraftConstitution({ evaluators }, context()));
      if (!drafted.ok) throw new Error(drafted.rejection.detail);
      await new ActivateConstitutionHandler(executor, store).execute(new ActivateConstitution(drafted.data.id, context()));
      return { constitutionId: drafted.data.id, hash: constitutionHash(evaluators) };
    },
    start: (runId: string, pinned: { constitutionId: string; hash: string } | null) =>
      append(runId, [
        { type: 'RunStarted', data: { runId, goalId: 'goal_1', agentName: 'robot', kind: 'external' } }, { type: 'EnvelopeSealed', data: { envelope: envelope(runId) } },
        ...(pinned ? [{ type: 'ConstitutionPinned' as const, data: pinned }] : []),
      ]),
    pinAgain: (runId: string, other: { constitutionId: string; hash: string }) => append(runId, [{ type: 'ConstitutionPinned', data: other }]),
    evaluate: async (runId: string) => {
      const evaluated = await new EvaluateForRunHandler(executor, constitutions).execute(new EvaluateForRun(runId, { data: {} }, { siteId: 'site_a' }));
      if (!evaluated.ok) throw new Error(evaluated.rejection.detail);
      return evaluated.data;
    },
  };
};

describe('Evaluations of a run', () => {
  it('[CONST-017] [CONST-018] use the version it was bound to, whatever is activated or written meanwhile (property O12)', async () => {
    const step = fc.oneof(fc.constant('activate' as const), fc.constant('start' as const), fc.constant('pin again' as const), fc.nat({ max: 9 }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const { activateNext, start, pinAgain, evaluate } = await world();
        let active = { ...(await activateNext(0)), n: 0 };
        const bound: (typeof active)[] = [];
        for (const next of ['start' as const, ...steps, ...steps.keys()]) {
          if (next === 'activate') active = { ...(await activateNext(active.n + 1)), n: active.n + 1 };
          else if (next === 'start') await start(`run_${bound.push(active) - 1}`, { constitutionId: active.constitutionId, hash: active.hash });
          else if (next === 'pin again') await Promise.all(bound.map((_, n) => pinAgain(`run_${n}`, { constitutionId: active.constitutionId, hash: active.hash })));
          else if (next < bound.length) {
            const { hash, n } = bound[next]!;
            expect(await evaluate(`run_${next}`)).toMatchObject({ constitutionHash: hash, results: [{ evaluatorId: `rule-${n}`, passed: false }] });
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it('find nothing when no constitution was in force at the start', async () => {
    const { activateNext, start, evaluate } = await world();
    await start('run_0', null);
    await activateNext(0);
    expect(await evaluate('run_0')).toEqual({ constitutionHash: null, results: [] });
  });
});
