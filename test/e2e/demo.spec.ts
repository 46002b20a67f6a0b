import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtCheckout, CommandLine, type Ended } from './command-line';
import { until } from './machine';
import { Processes } from './processes';
import { ADMIN_KEY, testServer, type Body, type TestServer } from './server';

const PLAYS_MS = 110_000;
/** See test/corpus/catalogue/README.md. */
const [PRODUCTS, DUPLICATES, REJECTED] = [315, 3, 2];

/** Compared as a whole, so that a failure shows what was printed. */
const DONE = { code: 0, out: expect.any(String), err: expect.any(String) };

type Process = { readonly pid: number; readonly environment: readonly string[]; readonly parent: { readonly pid: number; readonly command: string } };

/** The agent's process that works with this server. */
const agentOf = (url: string): Process | undefined => {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!/\/demo\/agent\.js\0/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) continue;
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
      if (!environment.includes(`HARNESS_URL=${url}`)) continue;
      const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
      return { pid: Number(pid), environment, parent: { pid: Number(parent), command: readFileSync(`/proc/${parent}/cmdline`, 'utf8') } };
    } catch {
      // It has ended meanwhile.
    }
  }
  return undefined;
};

describe('npm run demo', () => {
  const processes = new Processes();
  let line: CommandLine;
  beforeAll(async () => {
    line = new CommandLine(await builtCheckout(processes.directory()));
  });
  afterAll(async () => {
    line.cleanUp();
    await processes.cleanUp();
  });

  describe('at a server that is there', () => {
    let server: TestServer;
    let demo: Ended;
    let agent: Process;
    let log: readonly Body[];
    let runId: string;

    beforeAll(async () => {
      server = await testServer({ HARNESS_SEED: 'none', LOG_LEVEL: 'warn' });
      const playing = line.script('demo', [], { HARNESS_URL: server.url, HARNESS_KEY: ADMIN_KEY });
      agent = await until(() => agentOf(server.url), () => `the agent's process:\n${playing.out()}${playing.err()}`, 40_000);
      demo = await playing.ended;
      log = await server.log();
      runId = log.find(({ type }) => type === 'RunStarted').data.runId as string;
    }, PLAYS_MS);
    afterAll(() => server.close());

    const ofRun = () => log.filter(({ stream_id }) => stream_id === `run-${runId}`);
    const ofType = (type: string, events = log) => events.filter((event) => event.type === type);

    it('[SETUP-018] imports a messy file through governed calls of an agent in a process of its own', () => {
      expect(demo).toEqual(DONE);
      expect(agent.parent.command).toMatch(/\/demo\/main\.js\0/);
      expect(agent.pid).not.toBe(agent.parent.pid);
      const secrets = agent.environment.filter((variable) => variable.includes('hk_'));
      expect(secrets).toEqual([expect.stringMatching(/^HARNESS_KEY=hk_/)]);
      expect(secrets).not.toEqual([`HARNESS_KEY=${ADMIN_KEY}`]);

      const created = ofType('ItemCreated');
      const { actor } = ofType('RunStarted')[0].metadata;
      const calls = ofType('ToolCallAuthorised', ofRun());
      const authorised = new Map(calls.map(({ data, position }) => [`${data.callId as string}@${runId}`, { tool: data.tool as string, at: BigInt(position as string) }]));
      expect([created.length, actor.kind, authorised.size]).toEqual([PRODUCTS, 'agent', calls.length]);
      for (const { metadata, position } of created) {
        expect(metadata).toMatchObject({ runId, actor });
        const call = authorised.get(metadata.commandId as string);
        expect([call?.tool, call!.at < BigInt(position as string)]).toEqual(['createItem', true]);
      }
      const products = created.map(({ data }) => data.data as Body);
      expect(products.some(({ description }) => /"/.test(description as string))).toBe(true);
      expect(products.some(({ title }) => /\p{Script=Han}/u.test(title as string))).toBe(true);
      expect(products.some(({ price, stock }) => price === undefined && stock !== undefined)).toBe(true);
      expect(demo.out).toMatch(new RegExp(`^Rows +${PRODUCTS} imported, .* ${DUPLICATES} duplicates skipped, ${REJECTED} rejected$`, 'm'));
    });

    it('[SETUP-019] deletes the test article once, after another principal has approved it', () => {
      const [requested, ...others] = ofType('ApprovalRequested');
      expect([requested.data.tool, others]).toEqual(['deleteItem', []]);
      const { callId, requestedBy } = requested.data;
      const ofCall = ofRun().filter(({ data }) => data.callId === callId).map(({ type }) => type as string);
      expect(ofCall).toEqual(['ToolCallParked', 'RunParked', 'RunResumed', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded']);

      const [approved, ...more] = ofType('ApprovalApproved');
      expect([approved.stream_id, more]).toEqual([requested.stream_id, []]);
      expect(approved.data.by).toEqual({ kind: 'human', id: expect.stringMatching(/^key_/) });
      expect(approved.data.by.id).not.toBe(requestedBy.id);
      expect(requestedBy).toEqual(ofType('RunStarted')[0].metadata.actor);

      const [deleted, ...again] = ofType('ItemDeleted');
      expect([deleted.metadata.commandId, deleted.data.before.sku, again]).toEqual([`${callId as string}@${runId}`, 'TEST-0000', []]);
      expect([requested, approved, deleted].map(({ position }) => BigInt(position as string)).every((at, index, all) => index === 0 || at > all[index - 1]!)).toBe(true);
    });

    it('[SETUP-020] ends with a line for each event of the run, and the verdict on the chain', () => {
      const [timeline, summary] = demo.out.split('\n\n') as [string, string];
      const shown = timeline.split('\n').map((text) => /^\+ *[\d.]+ s {2}#(\d+) +(\w+)/.exec(text)?.slice(1));
      expect(shown).toEqual(ofRun().map(({ position, type }) => [position, type]));
      const verified = BigInt(ofType('GoalSettled')[0].position as string);
      expect(summary.trimEnd().split('\n').at(-1)).toBe(`Chain     intact, ${verified} events verified`);
    });
  });

  it('starts a server of its own, tells in JSON what it did, and leaves nothing behind', async () => {
    const folder = processes.directory();
    const file = join(folder, 'few.csv');
    const temporary = join(folder, 'tmp');
    await mkdir(temporary, { mode: 0o711 });
    await writeFile(file, 'sku,title,price\nA-1,"A ""quoted"" thing","1.299,00"\nA-2,  TWO   SPACES ,\nA-2,Twice,1\nA-3,Dear,much\nTEST-0000,Test article,1\n');
    const ended = await line.script('demo', ['--json', '--file', file], { TMPDIR: temporary }).ended;
    expect(ended).toEqual(DONE);
    expect(JSON.parse(ended.out)).toMatchObject({
      imported: 3, duplicates: 1, deleted: 1, rejectedRows: [{ line: 5, sku: 'A-3' }], approvals: [{ tool: 'deleteItem', status: 'approved' }], chain: { ok: true }, problems: [],
    });
    expect((await readdir(temporary)).filter((name) => name.startsWith('harness-demo-'))).toEqual([]);
  }, PLAYS_MS);
});
