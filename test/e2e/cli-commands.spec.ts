import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { everyCommand, harnessProgram } from '../../apps/cli/src/program';
import { runHarness } from '../../apps/cli/src/testing/run-harness';
import { rawServer, rawTool } from '../../libs/tool-mcp/src/testing';
import { serverDatabase, type TestDatabase } from '../database';
import { putLetter } from './dead-letters';
import { builtCheckout, CommandLine } from './command-line';
import { takesNothing, type Row, type Rows, type World } from './command-rows';
import { GOVERNING } from './governing-rows';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, testServer, type Body } from './server';

const NOBODY = 'http://127.0.0.1:9';

const order = (name: string, what: string) => ({ server }: World) => server.admin('POST', `ops/projections/${name}/${what}`, {});
const onUnknownModel = (...more: string[]): Row['fails'] => () => [{ args: ['nothing', ...more], code: 'NOT_FOUND' }];
const documents = (printed: string) => printed.split('\n').slice(0, -1).map((text) => JSON.parse(text) as Body);

const LETTER = crypto.randomUUID();
const deadLetter = ({ server }: World) => putLetter(server.pool, { siteId: 'site_demo' }, { id: LETTER });

/** They run in this order. */
const OPERATING: Rows = {
  serve: {
    args: () => [],
    run: async ({ line, settings }, args) => {
      const serving = line.start(args, settings);
      const { url } = await serving.untilOut((printed) => printed.endsWith('}\n') && (JSON.parse(printed) as Body));
      expect((await fetch(`${url as string}/health/ready`)).status).toBe(200);
      return serving.interrupt();
    },
    fails: () => [{ args: [], env: { PORT: 'none' }, code: 'FAILED' }],
    offline: true,
  },
  'seed demo': takesNothing,
  tail: {
    args: () => ['--from', '1'],
    run: async ({ server, line }, args) => {
      const head = await server.head();
      const tail = line.start(args);
      await tail.untilOut((printed) => printed.endsWith('\n') && documents(printed).some(({ position }) => position === String(head)));
      return tail.interrupt();
    },
    fails: () => [{ args: ['--from', 'now'], code: 'USAGE' }],
  },
  'audit verify': takesNothing,
  'audit proof': { args: ({ eventId }) => [eventId], fails: () => [{ args: [crypto.randomUUID()], code: 'FORBIDDEN' }] },
  'audit check-proof': {
    given: async ({ line, folder, eventId }) => {
      expect(await line.run(['audit', 'proof', eventId, '--out', join(folder, 'proof.json')])).toMatchObject({ code: 0 });
      await writeFile(join(folder, 'none.json'), '{}');
    },
    args: ({ folder, server }) => [join(folder, 'proof.json'), '--public-key', join(server.dataDir, 'audit/checkpoint-key.pub.pem')],
    fails: ({ folder, server }) => [
      { args: [join(folder, 'none.json'), '--public-key', join(server.dataDir, 'audit/checkpoint-key.pub.pem')], code: undefined },
      { args: [join(folder, 'proof.json'), '--public-key', join(folder, 'none.json')], code: 'FAILED' },
      { args: [join(folder, 'missing.json'), '--public-key', join(folder, 'missing.pem')], code: 'USAGE' },
    ],
    offline: true,
  },
  'audit checkpoints': takesNothing,
  'audit checkpoint': takesNothing,
  'audit export': {
    args: ({ folder }) => ['--out', join(folder, 'log.ndjson')],
    fails: ({ folder }) => [{ args: ['--out', join(folder, 'none', 'log.ndjson')], code: 'USAGE' }, { args: ['--out', join(folder, 'log.ndjson'), '--from', 'then'], code: 'VALIDATION_FAILED' }],
  },
  'projections list': takesNothing,
  'projections verify': { args: () => ['items'], fails: onUnknownModel() },
  'projections rebuild': { args: () => ['goals'], fails: onUnknownModel() },
  'projections pause': { args: () => ['items'], fails: onUnknownModel() },
  'projections resume': { args: () => ['items'], fails: onUnknownModel() },
  'projections skip': {
    given: async (world) => {
      await order('runs', 'pause')(world);
      await world.server.pool.query(`UPDATE es_projection SET state = 'stopped', error = 'as if poisoned', error_position = 1 WHERE name = 'runs' AND role = 'serving'`);
    },
    args: () => ['runs', '--position', '1', '--reason', 'harmless'],
    fails: onUnknownModel('--position', '1', '--reason', 'x'),
  },
  'dead-letters list': takesNothing,
  'dead-letters show': { given: deadLetter, args: () => [LETTER], fails: () => [{ args: [crypto.randomUUID()], code: 'FORBIDDEN' }] },
  'dead-letters requeue': { args: () => [LETTER], fails: () => [{ args: [crypto.randomUUID()], code: 'FORBIDDEN' }] },
  'keys issue': {
    args: () => ['ci', '--kind', 'service', '--capabilities', 'items:read'],
    fails: () => [{ args: ['ci', '--kind', 'service', '--capabilities', 'items:read', '--expires', 'never'], code: 'VALIDATION_FAILED' }],
  },
  'keys list': takesNothing,
  'keys rotate': { args: ({ keyId }) => [keyId], fails: () => [{ args: ['key_none'], code: 'FORBIDDEN' }] },
  'keys revoke': { args: ({ keyId }) => [keyId], fails: () => [{ args: ['key_none'], code: 'FORBIDDEN' }] },
  'replay run': { args: ({ runId }) => [runId], fails: () => [{ args: ['run_none'], code: 'FORBIDDEN' }] },
  'replay site': { args: () => [], fails: () => [{ args: ['--from', 'yesterday'], code: 'VALIDATION_FAILED' }] },
  backtest: {
    given: ({ folder }) => writeFile(join(folder, 'rules.json'), JSON.stringify([{ name: 'none', when: { tool: 'deleteItem' }, then: { do: 'deny' } }])),
    args: ({ folder }) => ['--policies', join(folder, 'rules.json')],
    fails: ({ folder }) => [{ args: ['--policies', join(folder, 'missing.json')], code: 'USAGE' }, { args: [], code: 'USAGE' }],
  },
  'policy test': {
    given: ({ folder }) => writeFile(join(folder, 'cases.json'), JSON.stringify([{ name: 'reads run', tool: 'getItem', arguments: {}, expect: 'none' }])),
    args: ({ folder }) => [join(folder, 'cases.json')],
    fails: ({ folder }) => [{ args: [join(folder, 'missing.json')], code: 'USAGE' }],
  },
  'items export': {
    args: ({ folder }) => ['products', '--out', join(folder, 'products.ndjson.gz')],
    fails: ({ folder }) => [{ args: ['nothing', '--out', join(folder, 'nothing.ndjson')], code: 'FORBIDDEN' }],
  },
  'items import': {
    given: ({ folder }) => writeFile(join(folder, 'more.ndjson'), '{"data":{"sku":"I-1","title":"One more"}}\n'),
    args: ({ folder }) => ['products', join(folder, 'more.ndjson')],
    fails: ({ folder }) => [{ args: ['nothing', join(folder, 'more.ndjson')], code: 'FORBIDDEN' }, { args: ['products', join(folder, 'missing.ndjson')], code: 'USAGE' }],
  },
  'tools import-mcp': {
    given: async ({ server, upstream }) => server.admin('PUT', 'settings', { outbound: { allowHosts: [upstream.host] } }),
    args: ({ upstream }) => ['docs', '--http', upstream.url],
    fails: () => [{ args: ['docs', '--http', 'http://127.0.0.1:9/mcp'], code: 'VALIDATION_FAILED' }, { args: ['docs'], code: 'USAGE' }],
  },
  mcp: {
    given: ({ server }) => server.admin('PUT', 'settings', { contentOs: { mcp: true } }),
    args: () => [],
    run: ({ line }, args) => line.run(args, {}, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'desktop', version: '1' } } })}\n`),
    fails: () => [{ args: ['--run', 'mine'], code: 'USAGE' }],
  },
  hook: {
    args: () => [],
    run: ({ line }, args) => line.run(args, {}, JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })),
    fails: () => [{ args: [], code: 'USAGE' }, { args: ['--wait', 'long'], code: 'USAGE' }],
    offline: true,
  },
  run: { args: ({ runId }) => [runId], fails: () => [{ args: ['run_none'], code: 'FORBIDDEN' }] },
};

/** Every command of the program: a new one needs a row. */
const ROWS: Rows = { ...OPERATING, ...GOVERNING };

const commands = everyCommand(harnessProgram(() => () => Promise.resolve()))
  .filter((command) => command.commands.length === 0)
  .map((command) => (command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name()));

describe('Every command of the command line', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let world: World;

  beforeAll(async () => {
    const server = await testServer();
    database = await serverDatabase();
    const folder = await builtCheckout(processes.directory());
    const line = new CommandLine(folder, { HARNESS_URL: server.url, HARNESS_KEY: ADMIN_KEY });
    const { runId } = (await server.admin('POST', 'agent/goals', { title: 'Look', agentName: 'robot' })).body.data;
    const [{ eventId }] = (await server.admin('GET', `audit/events?minPosition=${await server.head()}`)).body.data as Body[];
    const settings = { DATABASE_URL: urlOf(database), PORT: '0', HARNESS_DATA_DIR: processes.directory() };
    world = { server, line, folder, eventId, runId, settings, keyId: (await server.newKey({})).id, upstream: await rawServer([rawTool('search')]) };
  });
  afterAll(async () => {
    world.line.cleanUp();
    await world.upstream.close();
    await world.server.close();
    await database.drop();
    await processes.cleanUp();
  });

  it('has a row in one of the tables', () => {
    expect(Object.keys(ROWS).toSorted()).toEqual(commands.toSorted());
  });

  it.each([['operates', OPERATING], ['governs', GOVERNING]])('[CLI-014] [CLI-015] prints JSON and exits 0 when it %s and succeeds', async (_what, rows) => {
    for (const [command, { args, given, run }] of Object.entries(rows)) {
      await given?.(world);
      const words = [...command.split(' '), ...args(world), '--json'];
      const { code, out } = await (run ? run(world, words) : rows === OPERATING ? world.line.run(words) : here(words));
      const printed = command === 'tail' ? documents(out) : (JSON.parse(out) as Body);
      expect([command, code, printed]).toEqual([command, 0, command === 'tail' ? expect.any(Array) : expect.any(Object)]);
      expect([command, Object.keys(printed as object)]).not.toEqual([command, ['error']]);
    }
  });

  /** In this process: the program is the same, and sixty processes at once are what no person starts. */
  const here = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => runHarness(args, { env: { HARNESS_URL: world.server.url, HARNESS_KEY: ADMIN_KEY, ...env } });
  /** As a process where the command reads what is its own, such as standard input or the environment of a server. */
  const ended = ({ command, env = {} }: Failing, args: readonly string[]) => (ROWS[command]?.offline ? world.line.run(args, env) : here(args, env));

  type Failing = { readonly command: string; readonly args: readonly string[]; readonly env?: Record<string, string> | undefined };
  const words = ({ command, args }: Failing) => [...command.split(' '), ...args];
  /** At once, since some wait for a server that does not answer; with the code of its error document, or how else it ended. */
  const failures = (lines: readonly Failing[]) =>
    Promise.all(lines.map(async (failing) => {
      const { code, out } = await ended(failing, [...words(failing), '--json']);
      const { error } = JSON.parse(out) as Body;
      return { command: failing.command, exit: code, code: error?.code as unknown, detail: typeof error?.detail };
    }));
  const exitFor = (code: string | undefined) => (code === 'USAGE' ? 2 : 1);

  it('[CLI-014] [CLI-015] prints JSON and exits 1 when it fails, 2 when it is not understood', async () => {
    const lines = Object.entries(ROWS).flatMap(([command, { fails }]) => fails(world).map((failing) => ({ command, env: command === 'serve' ? world.settings : {}, ...failing })));
    expect(await failures(lines)).toEqual(lines.map(({ command, code }) => ({ command, exit: exitFor(code), code, detail: code === undefined ? 'undefined' : 'string' })));
    // And the same without JSON, with words instead.
    for (const result of lines.map(async (failing) => ({ ...(await ended(failing, words(failing))), failing }))) {
      const { failing, code, out, err } = await result;
      expect([failing.command, code, `${out}${err}`]).toEqual([failing.command, exitFor(failing.code), expect.stringMatching(/\w/)]);
    }
  });

  it.each([
    ['the key is wrong', { HARNESS_KEY: 'hk_of-nobody-at-all' }, 'UNAUTHENTICATED'],
    ['no key is given', { HARNESS_KEY: '' }, 'USAGE'],
    ['no server answers', { HARNESS_URL: NOBODY }, 'NETWORK'],
  ])('[CLI-014] [CLI-015] prints JSON and exits 1 or 2 when %s', async (_case, env, code) => {
    const lines = Object.entries(ROWS).filter(([, { offline }]) => !offline).map(([command, { args }]) => ({ command, args: args(world), env }));
    expect(await failures(lines)).toEqual(lines.map(({ command }) => ({ command, exit: exitFor(code), code, detail: 'string' })));
  });

  it('is missing when only its group is named', async () => {
    const groups = ['approvals', 'artifacts', 'audit', 'dead-letters', 'flows', 'goals', 'intents', 'items', 'keys', 'pins', 'projections', 'promotions', 'runs', 'seed', 'staged', 'tools'];
    expect(await failures(groups.map((command) => ({ command, args: [] })))).toEqual(groups.map((command) => ({ command, exit: 2, code: 'USAGE', detail: 'string' })));
  });
});
