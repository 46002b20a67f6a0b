import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@app/event-store';
import { project } from '@app/projections/contract';
import { drifts, type DriftRow } from './drift-list/drifts.projection';
import { intents, type IntentRow } from './intent-list/intents.projection';
import { intentEvents, type IntentEvent } from './intent.events';
import { DeclareIntentBody } from './intent.schema';
import { at, catalogue, contextAt, logOf, ofIntent, processOn, SITE, siteWith, goalsIn } from './testing/intent-world';
import { windowDeferral } from './door/window-deferral.policy';
import { cycleDeadlines } from './reconciler';

const world = async () => {
  const store = new InMemoryEventStore({ catalogue });
  await siteWith(store, [{ title: 'Hello' }, {}]);
  const clock = { minute: 0 };
  return { store, clock, here: processOn(store, clock) };
};
const WINDOW = { tz: 'UTC', windows: [{ dow: 2, start: '11:00', end: '13:00' }] };

describe('An intent', () => {
  it('[LOG-062] is a stream that knows these events', () => {
    expect(Object.values(intentEvents).every(({ category }) => category === 'intent')).toBe(true);
    expect(Object.keys(intentEvents)).toEqual(
      expect.arrayContaining(['IntentDeclared', 'IntentChanged', 'IntentDeleted', 'DriftScanStarted', 'DriftFound', 'DriftAssigned', 'DriftResolved', 'DriftScanFinished']),
    );
  });

  it('[INTENT-001] holds name, collection, rules, schedule, budget, autonomy cap, maintenance window and status', async () => {
    const { here } = await world();
    const definition = {
      name: 'Titles', collection: 'articles', rules: [{ type: 'required_fields', fields: ['title'] }], schedule: '0 2 * * *', budget: { maxGoalsPerCycle: 3, maxWritesPerMinute: 6, maxCostUsd: 1.5 },
      autonomyCap: 2, maintenanceWindow: WINDOW,
    };
    const view = await here.declare(definition);
    expect(view).toMatchObject({ ...definition, id: expect.stringMatching(/^int_[0-9a-f]{32}$/), status: 'active' });
    expect((await here.wish(view.id, { to: 'pause' }))).toMatchObject({ data: { status: 'paused' } });
    await here.governed({ type: 'IntentResumed', data: { intentId: view.id, by: 'x' } }, { type: 'IntentBroken', data: { intentId: view.id, reason: 'Three failures', incidentId: 'inc_1' } });
    expect((await here.wish(view.id, { to: 'pause' }))).toMatchObject({ data: { status: 'paused' } });
    await here.governed({ type: 'IntentBroken', data: { intentId: view.id, reason: 'Three failures', incidentId: 'inc_1' } });
    expect(await here.wish(view.id, { to: 'resume' })).toMatchObject({ data: { status: 'active' } });
  });

  it('has an hourly schedule and five goals per cycle unless it says otherwise', () => {
    expect(DeclareIntentBody.parse({ name: 'x', collection: 'articles', rules: [{ type: 'link_health' }] })).toMatchObject({ schedule: '0 * * * *', budget: { maxGoalsPerCycle: 5 } });
  });

  it('is refused with a pointer to all that cannot be kept', async () => {
    const { here } = await world();
    const refusal = (body: object) => here.declare(body).then(() => 'taken', (error: Error) => (JSON.parse(error.message) as { facts: { errors: { pointer: string }[] } }).facts.errors.map(({ pointer }) => pointer));
    expect(await refusal({ rules: [{ type: 'required_fields', fields: ['nothing'] }], schedule: '0 0 31 2 *', tz: 'Mars/Base' })).toEqual(['/rules/0/fields/0', '/schedule', '/tz']);
    expect(await refusal({ collection: 'nowhere' })).toEqual(['/collection']);
    expect(await refusal({ maintenanceWindow: { ...WINDOW, tz: 'Mars/Base' } })).toBe('taken');
  });

  it('changes part by part, and a change that changes nothing is no event', async () => {
    const { store, here } = await world();
    const { id } = await here.declare({ tz: 'Europe/Berlin', autonomyCap: 2, maintenanceWindow: WINDOW });
    expect(await here.change(id, { name: 'Other', tz: null, autonomyCap: null, maintenanceWindow: null, budget: { maxCostUsd: 2 } })).toMatchObject({
      name: 'Other', tz: null, autonomyCap: null, maintenanceWindow: null, budget: { maxGoalsPerCycle: 5, maxCostUsd: 2 }, collection: 'articles',
    });
    await here.change(id, { name: 'Other', budget: { maxGoalsPerCycle: 5 } });
    expect((await ofIntent(store)).map(({ type }) => type)).toEqual(['IntentDeclared', 'IntentChanged']);
    await expect(here.change(id, { rules: [{ type: 'field_constraint', field: 'title' }] })).rejects.toThrow('/rules/0');
  });

  it('[INTENT-024] shows when it runs next', async () => {
    const { clock, here } = await world();
    const { id, nextRunAt } = await here.declare({ schedule: '30 13 * * *', tz: 'Europe/Berlin' });
    expect(nextRunAt).toBe('2030-01-01T12:30:00.000Z');
    clock.minute = 31;
    expect((await here.change(id, { name: 'Later' })).nextRunAt).toBe('2030-01-02T12:30:00.000Z');
    // What falls outside of the windows waits for the next one to open.
    expect((await here.change(id, { maintenanceWindow: WINDOW })).nextRunAt).toBe('2030-01-08T11:00:00.000Z');
    expect((await here.change(id, { schedule: '30 13 * * 2' })).nextRunAt).toBe('2030-01-08T12:30:00.000Z');
    expect((await here.wish(id, { to: 'pause' }))).toMatchObject({ data: { nextRunAt: null } });
  });

  it('has one deadline, which follows its definition and goes with it', async () => {
    const { store, here } = await world();
    const { id } = await here.declare({ schedule: '30 12 * * *' });
    await here.change(id, { schedule: '45 12 * * *' });
    await here.remove(id);
    expect((await ofIntent(store)).map(cycleDeadlines)).toEqual([[{ set: id, topic: 'cycle', at: at(30).toISOString() }], [{ set: id, topic: 'cycle', at: at(45).toISOString() }], [{ clear: id }]]);
  });

  it('makes its calls wait while no window is open, for as long as that takes', async () => {
    const { here } = await world();
    const { id } = await here.declare({ maintenanceWindow: WINDOW });
    const state = await here.intent(id);
    expect(windowDeferral(state, at(0))).toBeNull();
    expect(windowDeferral(state, at(60))).toEqual({ reason: 'outside_maintenance_window', rule: 'maintenance_window', retryAfterMs: (7 * 24 - 2) * 3_600_000 });
    expect(windowDeferral({ status: 'none' }, at(60))).toBeNull();
  });

  it('[LOAD-006] hands its maxWritesPerMinute to the goals it brings forth', async () => {
    const { store, here } = await world();
    const { id } = await here.declare({ budget: { maxWritesPerMinute: 12 } });
    await here.cycle(id);
    expect(await goalsIn(store)).toMatchObject([{ intentId: id, origin: 'reconciler', budget: { maxWritesPerMinute: 12 } }]);
  });

  it('answers alike for an id that nobody has and for one of another site, and says that a deleted one is gone', async () => {
    const { here } = await world();
    const { id } = await here.declare({});
    const wish = (intentId: string) => here.wish(intentId, { to: 'pause' });
    expect(await wish(`int_${'0'.repeat(32)}`)).toMatchObject({ rejection: { code: 'FORBIDDEN' } });
    await here.remove(id);
    expect(await wish(id)).toMatchObject({ rejection: { code: 'GONE' } });
    expect(contextAt(0).siteId).toBe(SITE);
  });

  it('is a row with the number of its open drifts, and a row for each drift', async () => {
    const { store, here } = await world();
    const { id } = await here.declare({ rules: [{ type: 'required_fields', fields: ['title', 'body'] }] });
    await here.cycle(id);
    await here.edit(1, { title: 'There' });
    await here.end((await goalsIn(store))[1]!.goalId, { type: 'GoalSettled', data: { status: 'completed' } });
    const rows = new Map<string, DriftRow | null>();
    let row: IntentRow | null = null;
    for (const event of (await logOf(store)).filter(({ streamId }) => streamId === `intent-${id}`)) {
      row = project(intents, row, event as never, id);
      const fingerprint = (event.data as { fingerprint?: string }).fingerprint;
      if (fingerprint !== undefined) rows.set(fingerprint, project(drifts, rows.get(fingerprint) ?? null, event as never, fingerprint));
    }
    expect(row).toMatchObject({ id, name: 'Titles', collection: 'articles', openDrifts: 2 });
    expect([...rows.values()].map((each) => [each!.ruleKey, each!.status, each!.resolution])).toEqual([['body', 'assigned', null], ['title', 'resolved', 'repaired'], ['body', 'assigned', null]]);
    const deleted: IntentEvent = { type: 'IntentDeleted', data: { by: 'x', at: at(1).toISOString() } };
    expect(project(intents, row, deleted as never, id)).toBeNull();
  });
});
