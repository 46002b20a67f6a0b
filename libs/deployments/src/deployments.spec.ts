import { describe, expect, it } from '@jest/globals';
import { Executor, InMemoryEventStore, States } from '@app/event-store';
import type { EffectiveTool } from '@app/governance/contract';
import { Catalogue, type Recorded } from '@app/kernel';
import { context, robot, specification } from '@app/kernel/testing';
import type { CallContext } from '@app/tool-calls/contract';
import { AT, DEPLOYMENT, failed, site, succeeded, triggered } from './deployment.examples';
import { deploymentEvents, type DeploymentEvent } from './deployment.events';
import { deployment, type Deployment } from './deployment.state';
import { deploymentView } from './deployment-list/deployment.view';
import { deployments, type DeploymentRow } from './deployment-list/deployments.projection';
import { deploymentDeadlines } from './give-up-deployment/deployment-deadlines.process';
import { giveUpDeployment } from './give-up-deployment/give-up-deployment';
import { endDeployment } from './trigger-deployment/end-deployment.decide';
import { HttpDeployHook } from './trigger-deployment/http-deploy-hook';
import { TriggerDeploymentBody } from './trigger-deployment/trigger-deployment.command';
import { triggerDeployment } from './trigger-deployment/trigger-deployment.decide';

const given = specification(deployment);
const trigger = (body: object = {}, by = context(), rules = site()) => (state: Deployment) =>
  triggerDeployment({ deployment: state, governance: rules }, TriggerDeploymentBody.parse({ target: 'production', reason: 'Release 7', parameters: { ref: 'v7' }, ...body }), DEPLOYMENT, by);
const end = (outcome: Parameters<typeof endDeployment>[1]) => (state: Deployment) => endDeployment({ deployment: state }, outcome, new Date(AT));
const viewOf = (...events: DeploymentEvent[]) => {
  const state = events.reduce(deployment.evolve, deployment.initial);
  if (state.status === 'none') throw new Error('Not begun');
  return deploymentView(state);
};

describe('A deployment', () => {
  it('begins at a target that the site has, with the hook as it is configured', () => {
    given().when(trigger()).then({ deployment: [triggered()] });
    for (const history of [[triggered()], [triggered(), succeeded]]) given(...history).when(trigger()).then({ deployment: [] });
    given(triggered(), failed).when(trigger()).then({ deployment: [triggered()] });
    given().when(trigger({ target: 'moon' })).thenRejected('VALIDATION_FAILED');
    given().when(trigger({}, context(), site({ type: 'SettingsChanged', data: { changes: { deployments: { targets: [] } } } }))).thenRejected('VALIDATION_FAILED');
  });

  it('is no agent\'s to begin beside the door, and nobody\'s under a freeze', () => {
    given().when(trigger({}, context({ actor: robot }))).thenRejected('FORBIDDEN');
    given().when(trigger({}, context({ actor: robot, runId: 'run_1' }))).then({ deployment: [triggered({ triggeredBy: robot.id, runId: 'run_1' })] });
    const frozen = site({ type: 'ScopeFrozen', data: { freezeId: 'f', scope: 'site', targetId: null, reason: 'x', by: 'key_ada', at: AT } as never });
    given().when(trigger({}, context(), frozen)).thenRejected('FROZEN');
  });

  it('keeps no secret of its parameters', () => {
    const decision = given().when(trigger({ parameters: { token: 'sk-live-0123456789', ref: 'v7' } })).decision;
    expect(JSON.stringify(decision)).not.toContain('sk-live');
    expect(JSON.stringify(decision)).toContain('"ref":"v7"');
  });

  it('ends once', () => {
    given(triggered()).when(end({ ok: true, answer: '{"build":7}', durationMs: 120 })).then({ deployment: [succeeded] });
    given(triggered()).when(end({ ok: false, code: 'UPSTREAM_STATUS', reason: 'https://hooks.example answered 500.', durationMs: 80 })).then({ deployment: [failed] });
    for (const history of [[], [triggered(), succeeded], [triggered(), failed]]) given(...history).when(end({ ok: true, answer: null, durationMs: 1 })).then({ deployment: [] });
    expect(viewOf(triggered(), succeeded, failed)).toEqual(viewOf(triggered(), succeeded));
    expect(viewOf(triggered(), failed, triggered(), succeeded)).toEqual({ ...viewOf(triggered(), succeeded), attempts: 2 });
  });

  it('tells how it stands', () => {
    const open = { id: DEPLOYMENT, target: 'production', status: 'triggered', answer: null, failure: null, durationMs: null, endedAt: null };
    expect(viewOf(triggered())).toMatchObject(open);
    expect(viewOf(triggered(), succeeded)).toMatchObject({ ...open, status: 'succeeded', answer: '{"build":7}', durationMs: 120, endedAt: AT });
    expect(viewOf(triggered(), failed)).toMatchObject({ ...open, status: 'failed', failure: { code: 'UPSTREAM_STATUS' }, durationMs: 80, endedAt: AT });
    const row = [triggered(), succeeded].reduce<DeploymentRow | null>((kept, event) => deployments.on[event.type]!(kept, event as never, DEPLOYMENT), null);
    expect(row).toMatchObject({ id: DEPLOYMENT, siteId: 'site_a', target: 'production', status: 'succeeded' });
  });

  it('is given up after five minutes, unless it ends before', () => {
    const changes = (event: DeploymentEvent) => deploymentDeadlines({ ...event, streamId: `deployment-${DEPLOYMENT}` } as Recorded<DeploymentEvent>);
    expect(changes(triggered())).toEqual([{ set: DEPLOYMENT, at: '2030-01-01T10:05:00.000Z', topic: 'outcome' }]);
    expect([changes(succeeded), changes(failed)]).toEqual([[{ clear: DEPLOYMENT }], [{ clear: DEPLOYMENT }]]);
  });
});

describe('A deploy hook', () => {
  const target = { name: 'production', url: 'https://hooks.example/deploy', auth: 'secret://deploy-token' };
  const called: { tool: EffectiveTool; input: unknown; call: CallContext }[] = [];
  const hookThat = (answers: () => unknown) => new HttpDeployHook({ run: (tool, input, call) => {
    called.push({ tool, input, call });
    return Promise.resolve().then(answers);
  } });
  const call = (answers: () => unknown, by = context()) => hookThat(answers).call({ deploymentId: DEPLOYMENT, target, reason: null, parameters: { ref: 'v7' } }, by);

  it('is called by the executor of http tools, under an id that is the deployment\'s own', async () => {
    await call(() => null);
    await call(() => null, context({ runId: 'run_1' }));
    const { name: _name, ...http } = target;
    expect(called.map(({ tool, input, call: { runId, callId } }) => [tool.kind, tool.http, input, runId, callId])).toEqual([
      ['http', http, { deploymentId: DEPLOYMENT, target: 'production', parameters: { ref: 'v7' } }, DEPLOYMENT, DEPLOYMENT],
      ['http', http, { deploymentId: DEPLOYMENT, target: 'production', parameters: { ref: 'v7' } }, 'run_1', DEPLOYMENT],
    ]);
  });

  it('tells what it said as a text that the log can hold, without secrets and not too long', async () => {
    const answers = await Promise.all([{ build: 7 }, { text: 'queued' }, null, 7, { token: 'sk-live-0123456789' }, { text: `a\0b\ud800${'x'.repeat(5_000)}` }].map((said) => call(() => said)));
    const texts = answers.map((outcome) => (outcome.ok ? outcome.answer : 'failed'));
    expect(texts.slice(0, 4)).toEqual(['{"build":7}', 'queued', null, '7']);
    expect(texts[4]).not.toContain('sk-live');
    expect(texts[5]).toMatch(/^a\ufffdb\ufffdx+…$/);
    expect(texts[5]!.length).toBe(4_000);
  });

  it('fails with the code of the executor and its sentence', async () => {
    const failing = (message: string) => call(() => Promise.reject(new Error(message)));
    expect(await failing('UPSTREAM_STATUS: https://hooks.example answered 500: oh\nno')).toEqual({ ok: false, code: 'UPSTREAM_STATUS', reason: 'https://hooks.example answered 500: oh\nno', durationMs: expect.any(Number) });
    expect(await failing('nobody knows')).toMatchObject({ ok: false, code: 'HOOK_FAILED', reason: 'nobody knows' });
  });
});

describe('A deployment of which nobody hears any more', () => {
  it('ends as unknown, and one that has ended stays as it is', async () => {
    const store = new InMemoryEventStore({ catalogue: new Catalogue(deploymentEvents) });
    const executor = new Executor(store, new States(store));
    const giveUp = giveUpDeployment(executor);
    const stateAfter = async (id: string, ...events: DeploymentEvent[]) => {
      await store.append([{ streamId: `deployment-${id}`, expected: 'none', events }], [], context({ commandId: `make-${id}` }));
      expect(await giveUp(id, context({ commandId: `give-up-${id}`, now: new Date('2030-01-01T10:05:00.000Z') }))).toBe('done');
      return (await executor.current(deployment, id)).state;
    };
    expect(await stateAfter('open', triggered())).toMatchObject({ status: 'failed', failure: { code: 'OUTCOME_UNKNOWN' }, durationMs: null, endedAt: '2030-01-01T10:05:00.000Z' });
    expect(await stateAfter('over', triggered(), succeeded)).toMatchObject({ status: 'succeeded', endedAt: AT });
  });
});
