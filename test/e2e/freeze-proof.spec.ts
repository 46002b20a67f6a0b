import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { FreezeScope, LiftFreeze } from '@app/kill-switch/contract';
import type { Command, Context, Outcome, Principal } from '@app/kernel';
import { ChangeApiKey, IssueApiKey, principal } from '@app/sites/contract';
import { coreSkills } from '@app/skills';
import { PutTool } from '@app/tools/contract';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { firstStart, FIRST_SITE } from '../../apps/gateway/src/first-start';
import { GatewayModule } from '../../apps/gateway/src/gateway.module';
import { readConfig } from '../../apps/gateway/src/config';
import { openResources, type Resources } from '../../apps/gateway/src/resources';
import { serverDatabase, type TestDatabase } from '../database';
import { judge, type LogRow } from './authorisations';
import { Callers, type Round, type Tally } from './callers';
import { urlOf } from './processes';
import { ADMIN_KEY } from './server';

/** More rounds on request, as `HARNESS_FREEZE_ROUNDS=1000`. */
const ROUNDS = Number(process.env['HARNESS_FREEZE_ROUNDS'] ?? 50);
const PROCESSES = 4;
const CAPABILITY = 'items:read';
const TIMEOUT_MS = Math.max(60_000, ROUNDS * 2_000);

describe(`${PROCESSES} processes that call at full speed`, () => {
  let database: TestDatabase;
  let resources: Resources;
  let app: INestApplicationContext;
  let callers: Callers;
  let environment: Record<string, string>;
  let pool: Pool;
  let admin: Principal;
  let agent: Principal;
  let round: Omit<Round, 'inScope' | 'outOfScope' | 'alsoOpens'>;

  const context = (): Context => ({ actor: { kind: admin?.kind ?? 'human', id: admin?.id ?? 'test' }, siteId: FIRST_SITE, now: new Date(), correlationId: randomUUID(), commandId: randomUUID() });
  const send = async <T>(command: Command<Outcome<T>>) => {
    const outcome = await app.get(Bus).send(command);
    if (!outcome.ok) throw new Error(outcome.rejection.detail);
    return outcome;
  };
  const known = async (id: string) => {
    const { state } = await resources.executor.current(principal, id);
    if (state.status === 'none') throw new Error(`No principal ${id}`);
    return state.principal;
  };

  beforeAll(async () => {
    database = await serverDatabase();
    environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32), HARNESS_ROLES: 'gateway' };
    const config = readConfig(environment);
    resources = await openResources(config);
    app = await NestFactory.createApplicationContext(GatewayModule.of(resources, config, coreSkills), { logger: false, abortOnError: false });
    await firstStart({ ...resources, config, bus: app.get(Bus), showKey: () => undefined });
    pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
    const { rows } = await pool.query<{ type: string; id: string }>(`SELECT type, substr(stream_id, strpos(stream_id, '-') + 1) AS id FROM es_event WHERE type IN ('PrincipalCreated', 'ItemCreated') ORDER BY position`);
    const first = (type: string) => rows.find((row) => row.type === type)!.id;
    admin = await known(first('PrincipalCreated'));
    const { data } = await send(new IssueApiKey({ name: 'hammer', kind: 'agent', capabilities: [CAPABILITY], roles: [] }, admin, context()));
    agent = await known(data.id);
    round = { principal: agent, siteId: FIRST_SITE, call: { tool: 'getItem', arguments: { collection: 'products', id: first('ItemCreated') } } };
    callers = await Callers.start(PROCESSES, environment);
  });
  afterAll(async () => {
    await callers?.stop();
    await app?.close();
    await resources?.close();
    await pool?.end();
    await database?.drop();
  });

  const log = async () => (await pool.query<LogRow>('SELECT position::text, stream_id, type, data::jsonb AS data FROM es_event ORDER BY es_event.position')).rows;

  /** Plays the rounds, has the whole log judged, and tells what was seen. */
  const play = async (what: string, roles: Pick<Round, 'inScope' | 'outOfScope' | 'alsoOpens'>, change: () => Promise<unknown>, back: () => Promise<unknown>) => {
    const sum = { executed: 0, refused: 0, opened: 0, stale: 0 };
    const started = performance.now();
    for (let nr = 0; nr < ROUNDS; nr++) {
      const tally = await callers.round({ ...round, ...roles }, change);
      await back();
      for (const key of Object.keys(sum) as (keyof Tally)[]) sum[key] += tally[key];
      expect([tally.refused >= PROCESSES * roles.inScope.length, tally.stale > 0]).toEqual([true, true]);
    }
    const { violations, authorised } = judge(await log(), FIRST_SITE);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `${what}: ${ROUNDS} rounds, ${sum.executed} calls executed, ${sum.refused} refused, ${sum.opened} runs opened meanwhile, ${sum.stale} appends refused on a stale guard, ` +
      `${violations.length} violations in ${authorised} authorisations of the log so far, ${seconds} s\n`,
    );
    expect(violations).toEqual([]);
    return sum;
  };

  const freeze = (body: FreezeScope['body']) => () => send(new FreezeScope(body, admin, context()));
  const lift = (body: LiftFreeze['body']) => () => send(new LiftFreeze(body, admin, context()));

  it(`[KILL-013] [DOOR-016] [DOOR-017] have no call in scope authorised after the position at which their role is frozen, in ${ROUNDS} rounds`, async () => {
    const sum = await play(
      'Role freeze', { inScope: ['Writer', 'Writer'], outOfScope: ['SEO'], alsoOpens: true },
      freeze({ scope: 'role', targetId: 'Writer' }), lift({ scope: 'role', targetId: 'Writer' }),
    );
    expect(sum.executed).toBeGreaterThan(ROUNDS * PROCESSES * 3);
  }, TIMEOUT_MS);

  it(`[KILL-013] [DOOR-016] [DOOR-017] have no call in scope authorised after the position at which their site is frozen, in ${ROUNDS} rounds`, async () => {
    await play('Site freeze', { inScope: ['Writer', 'SEO'], outOfScope: [], alsoOpens: true }, freeze({ scope: 'site' }), lift({ scope: 'site' }));
  }, TIMEOUT_MS);

  it(`[DOOR-018] have no call authorised after the position at which their capability is revoked, in ${ROUNDS} rounds`, async () => {
    const hold = (...capabilities: string[]) => () => send(new ChangeApiKey(agent.id, { capabilities }, admin, context()));
    await play('Capability revocation', { inScope: ['Writer', 'SEO'], outOfScope: [], alsoOpens: false }, hold(), hold(CAPABILITY));
  }, TIMEOUT_MS);

  it(`[DOOR-019] have no call authorised after the position at which their tool is disabled, in ${ROUNDS} rounds`, async () => {
    const enabled = (on: boolean) => () => send(new PutTool('getItem', { enabled: on }, context()));
    await play('Tool disabling', { inScope: ['Writer', 'SEO'], outOfScope: [], alsoOpens: false }, enabled(false), enabled(true));
  }, TIMEOUT_MS);

  it('would be found out if a call were authorised on rules that had moved: without guards they are', async () => {
    const reckless = await Callers.start(2, environment, 'without guards');
    try {
      const roles = { inScope: ['Writer', 'Writer'], outOfScope: [], alsoOpens: false };
      await reckless.round({ ...round, ...roles }, freeze({ scope: 'role', targetId: 'Writer' }));
      await lift({ scope: 'role', targetId: 'Writer' })();
      const { violations } = judge(await log(), FIRST_SITE);
      process.stdout.write(`Without guards: 1 round, ${violations.length} violations found\n`);
      expect(violations.map(({ why }) => why)).toContain('authorised under the freeze of role Writer');
    } finally {
      await reckless.stop();
    }
  });
});
