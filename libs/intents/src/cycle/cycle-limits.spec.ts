import { describe, expect, it } from '@jest/globals';
import { at, goalsIn, intentWith, logOf, ofIntent } from '../testing/intent-world';

const BAD = { body: 'World' };
const completed = { type: 'GoalSettled', data: { status: 'completed' } } as const;

describe('A cycle of an intent', () => {
  it('[INTENT-016] outside its maintenance window does nothing, and open drifts wait until it opens', async () => {
    const maintenanceWindow = { tz: 'UTC', windows: [{ dow: 2, start: '11:00', end: '13:00' }, { dow: 3, start: '11:00', end: '13:00' }] };
    const { store, clock, here, id } = await intentWith([BAD, BAD], { maintenanceWindow, budget: { maxGoalsPerCycle: 1 } });
    expect(await here.cycle(id)).toMatchObject({ found: 2, goals: 1 });
    clock.minute = 90;
    const before = (await logOf(store)).length;
    expect(await here.cycle(id)).toEqual({ status: 'skipped', reason: 'outside_maintenance_window', opensAt: '2030-01-02T11:00:00.000Z' });
    expect(await here.cycle(id, 90)).toMatchObject({ status: 'skipped' });
    expect((await logOf(store)).length).toBe(before);
    expect((await here.intent(id)).drifts.count).toBe(2);
    clock.minute = 23 * 60;
    expect(await here.cycle(id)).toMatchObject({ found: 0, goals: 1, open: 2 });
  });

  it('[INTENT-020] with an unknown time zone runs and records a warning event', async () => {
    const { store, here, id } = await intentWith([BAD], { maintenanceWindow: { tz: 'Mars/Base', windows: [{ dow: 5, start: '01:00', end: '02:00' }] } });
    expect(await here.cycle(id)).toMatchObject({ status: 'finished', found: 1, goals: 1 });
    expect((await ofIntent(store)).filter(({ type }) => type === 'IntentWarned')).toMatchObject([{ data: { warning: 'unknown_time_zone', cycle: 1, detail: expect.stringContaining('Mars/Base') } }]);
  });

  it('[FLAG-002] with the flag reconciler off scans and makes no goals', async () => {
    const { store, here, id } = await intentWith([BAD], {}, { reconciler: false });
    expect(await here.cycle(id)).toMatchObject({ status: 'finished', found: 1, goals: 0, open: 1 });
    expect(await goalsIn(store)).toEqual([]);
    await here.governed({ type: 'FlagChanged', data: { flag: 'reconciler', on: true } });
    expect(await here.cycle(id)).toMatchObject({ found: 0, goals: 1 });
    await here.governed({ type: 'FlagChanged', data: { flag: 'reconciler', on: false } });
    await here.end((await goalsIn(store))[0]!.goalId, completed);
    expect(await here.cycle(id)).toMatchObject({ open: 1, goals: 0 });
  });

  it('[KILL-003] the kill switch pauses an intent, and no further goals arise from it until it is lifted', async () => {
    const { store, here, id } = await intentWith([BAD, BAD], { budget: { maxGoalsPerCycle: 1 } });
    await here.cycle(id);
    await here.governed({ type: 'ScopeFrozen', data: { freezeId: 'f1', scope: 'intent', targetId: id, reason: null, by: 'key_ada' } });
    for (let n = 0; n < 3; n++) expect(await here.cycle(id)).toMatchObject({ status: 'skipped', reason: 'paused' });
    expect(await goalsIn(store)).toHaveLength(1);
    expect(await here.wish(id, { to: 'resume' })).toMatchObject({ ok: false, rejection: { code: 'FROZEN' } });
    await here.governed({ type: 'FreezeLifted', data: { freezeId: 'f1', by: 'key_ada' } });
    expect(await here.cycle(id)).toMatchObject({ status: 'finished', goals: 1 });
  });

  it('[KILL-010] while the site is frozen creates no goals, nor does one that was under way', async () => {
    const freeze = () => here.governed({ type: 'ScopeFrozen', data: { freezeId: 'f1', scope: 'site', targetId: null, reason: null, by: 'key_ada' } });
    let freezing: Promise<unknown> | undefined;
    const whileScanning = () => {
      freezing ??= freeze();
      return 0;
    };
    const { store, here, id } = await intentWith([BAD, BAD], {}, { monotonicMs: whileScanning });
    expect(await here.cycle(id)).toMatchObject({ status: 'finished', found: 2, goals: 0 });
    await freezing;
    expect(await here.cycle(id)).toMatchObject({ status: 'skipped', reason: 'frozen' });
    expect(await goalsIn(store)).toEqual([]);
    await here.governed({ type: 'FreezeLifted', data: { freezeId: 'f1', by: 'key_ada' } });
    expect(await here.cycle(id)).toMatchObject({ goals: 2 });
  });

  it('[INTENT-025] can be paused and resumed', async () => {
    const { here, id } = await intentWith([BAD]);
    expect(await here.wish(id, { to: 'pause', reason: 'Holidays' })).toMatchObject({ ok: true, data: { status: 'paused', nextRunAt: null } });
    expect(await here.cycle(id)).toMatchObject({ status: 'skipped', reason: 'paused' });
    expect(await here.wish(id, { to: 'resume' })).toMatchObject({ ok: true, data: { status: 'active', nextRunAt: at(60).toISOString() } });
    expect(await here.cycle(id)).toMatchObject({ status: 'finished', goals: 1 });
  });
});
