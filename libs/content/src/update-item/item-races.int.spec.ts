import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Executor, PostgresEventStore, States } from '@app/event-store';
import { governanceEvents } from '@app/governance/contract';
import { Catalogue, type Context, type Recorded } from '@app/kernel';
import { ada, context, robot } from '@app/kernel/testing';
import { runEvents } from '@app/runs';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { articlesCreated, ITEM_ID, itemCreated } from '../content.examples';
import { collectionEvents } from '../collection.events';
import { itemEvents, type ItemEvent } from '../item.events';
import { ItemWriter } from '../item-writer';
import { PinFields } from '../pin-fields/pin-fields.command';
import { PinFieldsHandler } from '../pin-fields/pin-fields.handler';
import { ReleasePins } from '../release-pins/release-pins.command';
import { ReleasePinsHandler } from '../release-pins/release-pins.handler';
import { UpdateItem } from './update-item.command';
import { UpdateItemHandler } from './update-item.handler';

const RACES = 1_000;
const FIELDS = ['count', 'ofAda', 'ofBea', 'ofRobot'].map((name) => ({ name, type: 'integer' as const }));
const target = { collection: 'articles', id: ITEM_ID };
const bea = { ...ada, id: 'key_bea' };
const catalogue = new Catalogue(collectionEvents, itemEvents, governanceEvents, runEvents);

describe('Two editors and an agent on one item, each in a process of its own, on PostgreSQL', () => {
  let database: TestDatabase;
  let stores: PostgresEventStore[];
  beforeAll(async () => {
    database = await testDatabase();
    stores = await Promise.all([0, 1, 2].map(() => new PostgresEventStore({ connection: database, catalogue }).start()));
  });
  afterAll(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  let commands = 0;
  /** One process: its own connection, its own warm states. */
  const writerOn = (store: PostgresEventStore, by: Partial<Context>) => {
    const items = new ItemWriter(new Executor(store, new States(store)));
    const [update, pin, release] = [new UpdateItemHandler(items), new PinFieldsHandler(items), new ReleasePinsHandler(items)];
    const now = () => context({ commandId: `c${commands++}`, ...by });
    return {
      write: (data: Record<string, unknown>, ifMatch?: number) => update.execute(new UpdateItem({ ...target, data, ifMatch }, now())),
      pin: (field: string) => pin.execute(new PinFields(target, { fields: [field] }, now())),
      release: () => release.execute(new ReleasePins(target, now())),
    };
  };

  it('[CONTENT-025] lose no update in 1 000 races', async () => {
    await stores[0]!.append([{ streamId: 'governance-site_a', expected: 'none', events: [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } }] }], [], context());
    await stores[0]!.append([{ streamId: 'collection-site_a.articles', expected: 'none', events: [articlesCreated(FIELDS)] }, { streamId: `item-${ITEM_ID}`, expected: 'none', events: [itemCreated({ count: 0 })] }], [], context());
    const [first, second, agent] = [writerOn(stores[0]!, { actor: ada }), writerOn(stores[1]!, { actor: bea }), writerOn(stores[2]!, { actor: robot, runId: 'run_1' })];
    const writers = [first, second, agent] as const;
    const own = ['ofAda', 'ofBea', 'ofRobot'] as const;
    const tally = { counted: 0, told: 0, merged: 0, beforeThePin: 0, afterThePin: 0 };
    const expected: Record<string, number> = { count: 0 };
    let version = 1;
    for (let race = 0; race < RACES; race++) {
      // Whoever begins is not always the same.
      const turn = <T>(each: readonly T[]) => [...each.slice(race % 3), ...each.slice(0, race % 3)];
      if (race % 5 < 2) {
        // All three add one to what they have seen: one wins, and the others learn that they have not.
        const answers = await Promise.all(turn(writers).map((writer) => writer.write({ count: expected['count']! + 1 }, version)));
        const [winner, ...more] = answers.filter((answer) => answer.ok);
        expect([race, more.length, winner?.ok && winner.data.data['count']]).toEqual([race, 0, expected['count']! + 1]);
        for (const answer of answers) if (!answer.ok) expect(answer.rejection.code).toBe('CONFLICT');
        expected['count']!++;
        tally.counted++;
        tally.told += answers.length - 1;
        version = winner!.ok ? winner!.data.version : version;
      } else if (race % 5 < 4) {
        // Each writes a field of its own, without having looked: all of it is there afterwards.
        const answers = await Promise.all(turn(writers.map((writer, nr) => () => writer.write({ [own[nr]!]: race }))).map((write) => write()));
        for (const field of own) expected[field] = race;
        const newest = answers.flatMap((answer) => (answer.ok ? [answer.data] : [])).toSorted((a, b) => b.version - a.version);
        expect([race, newest.length, newest[0]?.data]).toEqual([race, 3, expected]);
        version = newest[0]!.version;
        tally.merged += 3;
      } else {
        // One keeps the agent's field while the agent writes it, and the other goes on: the write is before the pin, or it is refused.
        const acts = turn([() => first.pin('ofRobot'), () => second.write({ ofBea: race }), () => agent.write({ ofRobot: race })]).map((act) => act());
        const [pinned, edited, written] = [0, 1, 2].map((nr) => acts[(nr - (race % 3) + 3) % 3]!);
        expect([race, (await pinned!).ok, (await edited!).ok]).toEqual([race, true, true]);
        const answer = await written!;
        if (!answer.ok) expect(answer.rejection.code).toBe('PINNED_BY_HUMAN');
        if (answer.ok) expected['ofRobot'] = race;
        expected['ofBea'] = race;
        tally[answer.ok ? 'beforeThePin' : 'afterThePin']++;
        await first.release();
        const now = await second.write({ ofBea: race });
        expect([race, now.ok && now.data.data]).toEqual([race, expected]);
        version = now.ok ? now.data.version : version;
      }
    }
    // The history tells the same: each change over the very values that it says it replaced, and none of an agent's while there was a pin.
    const values: Record<string, unknown> = {};
    const pins = new Set<string>();
    let changes = 0;
    for await (const event of stores[1]!.read(`item-${ITEM_ID}`)) {
      const { type, data, metadata } = event as Recorded<ItemEvent>;
      if (type === 'ItemCreated') Object.assign(values, data.data);
      if (type === 'FieldPinned') pins.add(data.field);
      if (type === 'FieldUnpinned') pins.delete(data.field);
      if (type !== 'ItemPatched') continue;
      changes++;
      for (const [field, value] of Object.entries(data.patch)) {
        expect(data.before[field]).toEqual(values[field] ?? null);
        if (metadata.actor.kind === 'agent') expect(pins.has(field)).toBe(false);
        values[field] = value;
      }
    }
    expect(values).toEqual(expected);
    expect(changes).toBe(tally.counted + tally.merged + tally.beforeThePin * 2 + tally.afterThePin);
    expect([expected['count'], tally.told]).toEqual([400, 800]);
    process.stdout.write(`races: ${JSON.stringify(tally)}\n`);
  }, 120_000);
});
