import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { until } from './machine';
import type { Api, Body } from './server';

describe('A goal with parts', () => {
  const { server, agent, eventsOf } = jobs();
  let planner: Api & { readonly id: string };
  const ofPlanner = async () => (planner ??= await server().newKey({ name: 'planner', agentRole: 'Planner', capabilities: ['items:read', 'items:update', 'items:write', 'items:delete'] }));
  const open = async (more: Record<string, unknown> = {}): Promise<{ goalId: string; runId: string }> =>
    (await (await ofPlanner())('POST', 'agent/goals', { title: 'All of it', agentName: 'planner', budget: { maxToolCalls: 10 }, ...more })).body.data;
  const decompose = async (goalId: string, goals: readonly Body[], by?: Api) => (by ?? (await ofPlanner()))('POST', `agent/goals/${goalId}/decompose`, { goals });
  const goal = async (goalId: string): Promise<Body> => (await agent()('GET', `agent/goals/${goalId}`)).body.data;
  const run = async (runId: string): Promise<Body> => (await agent()('GET', `agent/runs/${runId}`)).body.data;
  const take = async (goalId: string) => (await agent()('POST', `agent/goals/${goalId}/start`, { agentName: 'robot' })).body.data as { runId: string };
  const settled = (goalId: string, status: string) => until(async () => ((await goal(goalId)).status === status ? goal(goalId) : undefined), () => `goal ${goalId} to be ${status}`, 20_000);

  it('[GOAL-014] [GOAL-016] [GOAL-017] [GOAL-018] makes sub-goals of a planner, each with a role of its own, within the bounds of their parent', async () => {
    const intentId = `int_${'0'.repeat(32)}`;
    const { goalId, runId } = await open({ intentId, autonomyCap: 2 });
    const answer = await decompose(goalId, [{ title: 'Write', agentRole: 'Writer', autonomyCap: 4 }, { title: 'Translate', agentRole: 'Translator', maxToolCalls: 3, autonomyCap: 1 }]);
    expect([answer.status, answer.body.data.goals.map(({ agentRole, maxToolCalls }: Body) => [agentRole, maxToolCalls])]).toEqual([201, [['Writer', 7], ['Translator', 3]]]);
    const parts = await Promise.all((answer.body.data.goals as Body[]).map(({ goalId: id }) => goal(id as string)));
    expect(parts.map(({ parentGoalId, origin, agentRole, intentId: intent, autonomyCap, status }) => [parentGoalId, origin, agentRole, intent, autonomyCap, status])).toEqual([
      [goalId, 'planner', 'Writer', intentId, 2, 'open'], [goalId, 'planner', 'Translator', intentId, 1, 'open'],
    ]);
    expect((await run(runId)).budgetUsed.toolCalls).toBe(10);
    expect((await decompose(goalId, [{ title: 'No role' }])).status).toBe(422);
  });

  it('[GOAL-015] is decomposed by nobody but a planner', async () => {
    const { goalId } = (await agent()('POST', 'agent/goals', { title: 'Mine', agentName: 'robot' })).body.data;
    const answer = await decompose(goalId, [{ title: 'Write', agentRole: 'Writer' }], agent());
    expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    const asPlanner = (await agent()('POST', 'agent/goals', { title: 'Mine', agentName: 'robot', agentRole: 'Planner' })).body.data;
    expect((await decompose(asPlanner.goalId, [{ title: 'Write', agentRole: 'Writer' }], agent())).status).toBe(201);
  });

  it('[GOAL-019] L11: gives away no more than its run had left, however many decompose at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { goalId, runId } = await open({ budget: { maxToolCalls: 20 } });
      const answers = await Promise.all(Array.from({ length: 8 }, () => decompose(goalId, [{ title: 'a', agentRole: 'Writer', maxToolCalls: 2 }, { title: 'b', agentRole: 'SEO', maxToolCalls: 3 }])));
      const given = answers.filter(({ status }) => status === 201).flatMap(({ body }) => body.data.goals as Body[]).reduce((sum, { maxToolCalls }) => sum + Number(maxToolCalls), 0);
      expect(given).toBe(20);
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(4);
      const shared = (await eventsOf(runId)).filter(({ type }) => type === 'BudgetShared').reduce((sum, { data }) => sum + Number(data.toolCalls), 0);
      expect(shared).toBe(20);
    }
  });

  it('[GOAL-020] goes five levels deep and no deeper', async () => {
    let { goalId } = await open({ budget: { maxToolCalls: 100 } });
    const by = await ofPlanner();
    for (let depth = 1; depth <= 6; depth++) {
      const answer = await decompose(goalId, [{ title: `Level ${depth}`, agentRole: 'Planner' }]);
      if (depth === 6) {
        expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_FAILED']);
        break;
      }
      expect(answer.status).toBe(201);
      goalId = answer.body.data.goals[0].goalId as string;
      await by('POST', `agent/goals/${goalId}/start`, { agentName: 'planner' });
    }
  });

  it('[GOAL-021] has fifty parts and no more, in one request or in several', async () => {
    const { goalId } = await open({ budget: { maxToolCalls: 100 } });
    const parts = (count: number) => Array.from({ length: count }, (_, nr) => ({ title: `Part ${nr}`, agentRole: 'Writer', maxToolCalls: 1 }));
    expect((await decompose(goalId, parts(51))).status).toBe(422);
    expect((await decompose(goalId, parts(50))).status).toBe(201);
    expect((await decompose(goalId, parts(1))).status).toBe(422);
  });

  it('[GOAL-022] [GOAL-023] [GOAL-024] is settled by hand when its parts are, and by itself when the last one ends', async () => {
    const by = await ofPlanner();
    const settle = (goalId: string) => by('POST', `agent/goals/${goalId}/settle`);
    const good = await open();
    const parts = (await decompose(good.goalId, [{ title: 'a', agentRole: 'Writer' }, { title: 'b', agentRole: 'SEO' }])).body.data.goals as Body[];
    const early = await settle(good.goalId);
    expect([early.status, early.body.facts.open]).toEqual([409, parts.map(({ goalId }) => goalId)]);
    for (const part of parts) {
      const { runId } = await take(part.goalId as string);
      expect((await agent()('POST', `agent/runs/${runId}/complete`, {})).status).toBe(200);
    }
    expect(await settled(good.goalId, 'completed')).toMatchObject({ status: 'completed' });
    expect(await run(good.runId)).toMatchObject({ status: 'succeeded', stopReason: 'completed' });
    expect((await settle(good.goalId)).body.data).toMatchObject({ status: 'completed' });

    const bad = await open();
    const [first] = (await decompose(bad.goalId, [{ title: 'Ship it', agentRole: 'Writer' }])).body.data.goals as Body[];
    const { runId } = await take(first!.goalId as string);
    await agent()('POST', `agent/runs/${runId}/fail`, { reason: 'The printer burnt' });
    expect((await settle(bad.goalId)).body.data).toMatchObject({ status: 'failed', reason: 'The part "Ship it" failed: The printer burnt' });
    expect(await run(bad.runId)).toMatchObject({ status: 'failed' });
  });

  it('[GOAL-013] [RUN-015] [RUN-035] is cancelled with its runs and its parts, by whom and why is on record', async () => {
    const { goalId, runId } = await open();
    const [part, idle] = (await decompose(goalId, [{ title: 'a', agentRole: 'Writer' }, { title: 'b', agentRole: 'SEO' }])).body.data.goals as Body[];
    const taken = await take(part!.goalId as string);
    const answer = await (await ofPlanner())('POST', `agent/goals/${goalId}/cancel`, { reason: 'The fair is off' });
    expect([answer.status, answer.body.data]).toEqual([200, { goalId, status: 'cancelled', cancelled: [goalId, part!.goalId, idle!.goalId] }]);
    for (const id of [runId, taken.runId]) expect(await run(id)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled_by_user', reason: 'The fair is off' });
    expect(await goal(idle!.goalId as string)).toMatchObject({ status: 'cancelled', reason: 'The fair is off' });
    const cancelled = (await server().log()).filter(({ stream_id: id, type }: Body) => id === `run-${taken.runId}` && type === 'RunCancelRequested');
    expect(cancelled.map(({ metadata, data }: Body) => [metadata.actor.id, data.reason])).toEqual([[planner.id, 'The fair is off']]);
    expect((await (await ofPlanner())('POST', `agent/goals/${goalId}/cancel`, {})).status).toBe(409);
  });
});
