import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@app/event-store';
import { NO_DRIFTS } from '../open-drifts.state';
import { ADA, catalogue, goalsIn, intentWith, itemId, logOf, ofIntent, processOn, siteWith } from '../testing/intent-world';

const GOOD = { title: 'Hello', body: 'World' };
const BAD = { body: 'World' };

const completed = { type: 'GoalSettled', data: { status: 'completed' } } as const;
const failed = { type: 'GoalSettled', data: { status: 'failed', reason: 'No idea' } } as const;

describe('A cycle of an intent', () => {
  it('finds what breaks a rule, once, and gives every drift a goal for the role of its rule, with the bounds of the intent', async () => {
    const rules = [{ type: 'required_fields', fields: ['title'] }, { type: 'translations', locales: ['de'] }];
    const { store, here, id } = await intentWith([GOOD, BAD], { rules, budget: { maxGoalsPerCycle: 10, maxWritesPerMinute: 7, maxCostUsd: 0.5 }, autonomyCap: 1 });
    const ran = await here.cycle(id);
    expect(ran).toEqual({ status: 'finished', cycle: 1, scanned: 2, found: 3, resolved: 0, goals: 3, goalIds: (await goalsIn(store)).map(({ goalId }) => goalId), open: 3, complete: true });
    expect(await here.cycle(id)).toMatchObject({ cycle: 2, found: 0, goals: 0, open: 3 });
    const goals = await goalsIn(store);
    const common = { origin: 'reconciler', intentId: id, autonomyCap: 1, budget: { maxWritesPerMinute: 7, maxCostUsd: 0.5 } };
    expect(goals).toMatchObject([
      { ...common, agentRole: 'Translator', driftFingerprint: `${id}:${itemId(0)}:translations:de` }, { ...common, agentRole: 'Writer', driftFingerprint: `${id}:${itemId(1)}:required_fields:title` },
      { ...common, agentRole: 'Translator', driftFingerprint: `${id}:${itemId(1)}:translations:de` },
    ]);
    expect((await here.goal(goals[0]!.goalId)).status).toBe('open');
  });

  it('[INTENT-012] gives a drift\'s goal the role of its rule type; translations go to the Translator', async () => {
    const dead = 'https://example.org/gone';
    const rules = [
      { type: 'required_fields', fields: ['title'] }, { type: 'freshness', maxAgeDays: 0.5 }, { type: 'translations', locales: ['de'] }, { type: 'link_health', fields: ['body'] },
      { type: 'field_constraint', field: 'body', maxLength: 5 }, { type: 'glossary_compliance', fields: ['body'], terms: [{ term: 'sign in', avoid: ['log in'] }] },
    ];
    const { store, clock, here, id } = await intentWith([{ body: `log in at ${dead}` }], { rules, budget: { maxGoalsPerCycle: 10 } }, { dead: [dead] });
    clock.minute = 24 * 60;
    expect(await here.cycle(id)).toMatchObject({ found: 6, goals: 6 });
    expect(Object.fromEntries((await goalsIn(store)).map(({ driftFingerprint, agentRole }) => [driftFingerprint!.split(':')[2], agentRole]))).toEqual({
      required_fields: 'Writer', freshness: 'Writer', translations: 'Translator', link_health: 'Writer', field_constraint: 'Writer', glossary_compliance: 'Writer',
    });
  });

  it('[INTENT-013] resolves a drift once its run repaired it, and not before', async () => {
    const { store, here, id } = await intentWith([BAD]);
    await here.cycle(id);
    const { goalId } = (await goalsIn(store))[0]!;
    await here.end(goalId, completed);
    expect((await here.intent(id)).drifts.count).toBe(1);
    expect(await here.cycle(id)).toMatchObject({ found: 0, goals: 1 });
    const second = (await goalsIn(store))[1]!.goalId;
    await here.edit(0, { title: 'There' });
    expect((await here.intent(id)).drifts.count).toBe(1);
    await here.end(second, completed);
    expect((await here.intent(id)).drifts).toEqual(NO_DRIFTS);
    expect((await ofIntent(store)).at(-1)).toMatchObject({ type: 'DriftResolved', data: { resolution: 'repaired', goalId: second, fingerprint: `${id}:${itemId(0)}:required_fields:title` } });
    await here.settle(second);
    expect((await ofIntent(store)).filter(({ type }) => type === 'DriftResolved')).toHaveLength(1);
  });

  it('settles a goal whose end nobody heard of, and gives its drift another one', async () => {
    const { store, here, id } = await intentWith([BAD, BAD]);
    await here.cycle(id);
    const [first, second] = (await goalsIn(store)).map(({ goalId }) => goalId);
    await here.edit(0, { title: 'There' });
    await here.end(first!, completed, false);
    await here.end(second!, failed, false);
    expect((await here.intent(id)).drifts.count).toBe(2);
    expect(await here.cycle(id)).toMatchObject({ goals: 1, open: 1 });
    expect((await here.intent(id)).failures).toBe(1);
  });

  it('lets go of what was repaired, pinned or deleted by somebody else, with the goal that nobody had taken up', async () => {
    const { store, here, id } = await intentWith([BAD, BAD, BAD], { budget: { maxGoalsPerCycle: 2 } });
    await here.cycle(id);
    const [first, second] = (await goalsIn(store)).map(({ goalId }) => goalId);
    await here.pin(0, 'title');
    await here.edit(1, { title: 'By hand' }, { actor: ADA });
    await here.edit(2, { title: 'By hand' }, { actor: ADA });
    expect(await here.cycle(id)).toMatchObject({ resolved: 3, open: 0 });
    expect([(await here.goal(first!)).status, (await here.goal(second!)).status]).toEqual(['cancelled', 'cancelled']);
    expect((await ofIntent(store)).filter(({ type }) => type === 'DriftResolved')).toHaveLength(3);
  });

  it('[INTENT-014] stops its scan at the time bound and the next one goes on where it stopped', async () => {
    let ms = 0;
    const looked: string[] = [];
    const bound = { monotonicMs: () => (ms += 1_000), scanMs: 4_500, page: 2 };
    const { store, here, id } = await intentWith(Array.from({ length: 9 }, () => BAD), { budget: { maxGoalsPerCycle: 0 } }, bound);
    for (let cycle = 0; cycle < 20; cycle++) {
      const ran = await here.cycle(id);
      if (ran.status !== 'finished') throw new Error(JSON.stringify(ran));
      const [finished] = (await ofIntent(store)).slice(-1) as unknown as [{ data: { cursor: string | null } }];
      expect(finished.data.cursor === null).toBe(ran.complete);
      if (!ran.complete) expect(ran.scanned).toBeLessThan(9);
      looked.push(String(finished.data.cursor));
      if (ran.complete) break;
    }
    const found = (await ofIntent(store)).flatMap((event) => (event.type === 'DriftFound' ? [event.data.itemId] : []));
    // Every item once, in order: no scan began again at the front.
    expect(found).toEqual(Array.from({ length: 9 }, (_, nr) => itemId(nr)));
    expect(looked.length).toBeGreaterThan(2);
    expect(looked.slice(0, -1)).toEqual(looked.slice(0, -1).toSorted());
    expect(looked.at(-1)).toBe('null');
  });

  it('three failed goals in a row set the intent to error and open a breaker incident in one append', async () => {
    const { store, here, id } = await intentWith([BAD, BAD, BAD, BAD], { budget: { maxGoalsPerCycle: 4 } });
    await here.cycle(id);
    const goals = (await goalsIn(store)).map(({ goalId }) => goalId);
    await here.end(goals[0]!, failed);
    await here.end(goals[1]!, failed);
    expect((await here.intent(id)).failures).toBe(2);
    await here.end(goals[2]!, failed);
    const batch = (await logOf(store)).slice(-3);
    expect(batch.map(({ type }) => type)).toEqual(expect.arrayContaining(['DriftReleased', 'IntentBroken', 'IncidentOpened']));
    expect(new Set(batch.map(({ chain }) => chain.batch)).size).toBe(1);
    expect(batch.find(({ type }) => type === 'IncidentOpened')).toMatchObject({ data: { source: 'breaker', severity: 'medium', agentRole: null, detail: expect.stringContaining('No idea') } });
    expect(await here.cycle(id)).toMatchObject({ status: 'skipped', reason: 'error' });
    await here.end(goals[3]!, failed);
    expect((await logOf(store)).filter(({ type }) => type === 'IntentBroken')).toHaveLength(1);
    expect((await here.wish(id, { to: 'resume' })).ok).toBe(true);
    expect(await here.cycle(id)).toMatchObject({ status: 'finished', goals: 4 });
  });

  it('counts failures in a row only: a repair in between begins anew, a cancelled goal counts for nothing', async () => {
    const { store, here, id } = await intentWith([BAD, BAD, BAD, BAD, BAD, BAD], { budget: { maxGoalsPerCycle: 6 } });
    await here.cycle(id);
    const goals = (await goalsIn(store)).map(({ goalId }) => goalId);
    await here.end(goals[0]!, failed);
    await here.end(goals[1]!, failed);
    await here.end(goals[2]!, { type: 'GoalCancelled', data: {} });
    await here.edit(3, { title: 'There' });
    await here.end(goals[3]!, completed);
    await here.end(goals[4]!, failed);
    await here.end(goals[5]!, failed);
    expect([(await here.intent(id)).failures, (await logOf(store)).some(({ type }) => type === 'IntentBroken')]).toEqual([2, false]);
  });

  it('runs once for a firing of the schedule, and goes on with its count when its worker was lost', async () => {
    const { clock, here, id, store } = await intentWith([BAD, BAD, BAD], { budget: { maxGoalsPerCycle: 2 } });
    expect(await here.cycle(id, 0)).toMatchObject({ status: 'finished', goals: 2 });
    expect(await here.cycle(id, 0)).toMatchObject({ status: 'skipped', reason: 'done' });
    clock.minute = 60;
    const slow = here.cycle(id, 60);
    expect(await here.cycle(id, 60)).toMatchObject({ status: 'skipped', reason: 'running' });
    expect(await slow).toMatchObject({ status: 'finished', cycle: 2, goals: 1 });
    expect(await goalsIn(store)).toHaveLength(3);
  });

  it('keeps no more than 5 000 open drifts, and finds the others when there is room', async () => {
    const fields = Array.from({ length: 50 }, (_, nr) => `f${nr}`);
    const store = new InMemoryEventStore({ catalogue });
    await siteWith(store, Array.from({ length: 102 }, () => GOOD), { fields });
    const here = processOn(store, { minute: 0 }, { page: 200, scanMs: 1e9 });
    const { id } = await here.declare({ rules: [{ type: 'required_fields', fields }], budget: { maxGoalsPerCycle: 0 } });
    expect(await here.cycle(id)).toMatchObject({ found: 5_000, open: 5_000, complete: false });
    for (const nr of [0, 1, 2]) await here.edit(nr, Object.fromEntries(fields.map((field) => [field, 'There'])));
    expect(await here.cycle(id)).toMatchObject({ found: 100, resolved: 150, open: 4_950, complete: true });
  });

  it('leaves nothing of a deleted intent but its record', async () => {
    const { store, here, id } = await intentWith([BAD, BAD], { budget: { maxGoalsPerCycle: 1 } });
    await here.cycle(id);
    await here.remove(id);
    expect((await ofIntent(store)).slice(-3)).toMatchObject([{ type: 'DriftResolved', data: { resolution: 'gone' } }, { type: 'DriftResolved' }, { type: 'IntentDeleted' }]);
    await expect(here.cycle(id)).rejects.toThrow('GONE');
    const { goalId } = (await goalsIn(store))[0]!;
    expect(await here.goal(goalId)).toMatchObject({ status: 'cancelled', reason: 'Its intent was deleted.' });
    await here.end(goalId, failed);
    expect((await ofIntent(store)).at(-1)?.type).toBe('IntentDeleted');
  });
});
