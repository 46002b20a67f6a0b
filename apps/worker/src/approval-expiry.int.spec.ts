import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approvalEvents, type ApprovalEvent } from '@app/approvals/contract';
import { Consumers, Executor, Leases, PostgresEventStore, States } from '@app/event-store';
import { Catalogue } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { migrateDeadlines } from '@app/scheduler';
import { Pool } from 'pg';
import { eventually } from '../../../test/e2e/eventually';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { approvalExpiry } from './approval-expiry';

const DUE = '2030-01-08T10:00:00.000Z';
const asked = (kind: 'plan' | 'artifact' | 'schema_diff', approvalId: string): ApprovalEvent => ({
  type: 'ApprovalRequested',
  data: {
    approvalId, siteId: 'site_a', kind, domain: 'schema', subject: 'Look at it', goalId: 'goal_1', runId: 'run_1', callId: null, tool: null, arguments: {}, actionDigest: 'a'.repeat(64),
    capability: 'schema:update', policy: 'plan', agentRole: null, quorum: 1, humanOnly: false, autoCommitAt: null, requestedBy: { kind: 'agent', id: 'key_1' }, requestedAt: '2030-01-01T10:00:00.000Z', expiresAt: DUE,
  },
});

describe('Questions that hold no call, on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let now = new Date('2030-01-08T09:59:59.999Z');
  const errors: unknown[] = [];

  beforeAll(async () => {
    const { drop: _drop, ...connection } = (database = await testDatabase());
    pool = new Pool({ ...connection, max: 8 });
    pool.on('error', () => undefined);
    await migrateDeadlines(pool);
    store = await new PostgresEventStore({ connection, catalogue: new Catalogue(approvalEvents) }).start();
  });
  afterAll(async () => {
    await store.close();
    await pool.end();
    await database.drop();
  });

  const worker = () => {
    const consumers = new Consumers(store, pool, new Leases(pool));
    const expiry = approvalExpiry({ db: pool, consumers, executor: new Executor(store, new States(store)), onError: (error) => errors.push(error), now: () => now });
    expiry.start();
    return {
      stop: async () => {
        await expiry.stop();
        await consumers.stop();
      },
    };
  };
  const deadlines = async () => (await pool.query<{ key: string }>('SELECT key FROM deadline ORDER BY key')).rows.map(({ key }) => key);
  const typesOf = async (id: string) => {
    const types: string[] = [];
    for await (const { type } of store.read(`approval-${id}`)) types.push(type);
    return types;
  };

  it('end in time, whatever they are about: a plan, an artifact, a change of the schema', async () => {
    const kinds = ['artifact', 'plan', 'schema_diff'] as const;
    for (const kind of kinds) await store.append([{ streamId: `approval-${kind}`, expected: 'none', events: [asked(kind, kind)] }], [], context({ commandId: `ask-${kind}` }));
    const first = worker();
    expect(await eventually(deadlines, ({ length }) => length === 3)).toEqual([...kinds]);
    await first.stop();
    expect(await typesOf('plan')).toEqual(['ApprovalRequested']);

    now = new Date(DUE);
    const second = worker();
    expect(await eventually(deadlines, ({ length }) => length === 0)).toEqual([]);
    await second.stop();
    for (const kind of kinds) expect([kind, await typesOf(kind)]).toEqual([kind, ['ApprovalRequested', 'ApprovalExpired']]);
    expect(errors).toEqual([]);
  });
});
