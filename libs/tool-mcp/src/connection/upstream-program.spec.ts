import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { childrenOf, isAlive, lyingProgram, referenceServer } from '../testing';
import { connections, failure, never } from './connections.examples';

describe('An upstream server that is a program', () => {
  const { at, call } = connections();
  const folder = mkdtempSync(join(tmpdir(), 'mcp-upstream-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(['everything', 'memory', 'filesystem'] as const)('is listed and called over stdio: %s', async (name) => {
    const upstream = at(referenceServer(name, ...(name === 'filesystem' ? [folder] : name === 'everything' ? ['stdio'] : [])), {}, {});
    const { entries, isWhole } = await upstream.list(never);
    expect([entries.length > 5, isWhole]).toEqual([true, true]);
    const [tool, input] = ({ everything: ['get-sum', { a: 2, b: 3 }], memory: ['read_graph', {}], filesystem: ['list_directory', { path: folder }] } as const)[name];
    expect(JSON.stringify(await call(upstream, tool, input))).toMatch(/The sum of 2 and 3 is 5|entities|content/);
  });

  it('gets secrets by name in its environment, and nothing else of this server\'s', async () => {
    process.env['HARNESS_TEST_SECRET'] = 'not-for-children';
    const upstream = at({ ...referenceServer('everything', 'stdio'), env: { TOKEN: 'secret://key' } });
    const said = JSON.stringify(await call(upstream, 'get-env'));
    expect(said).toContain('TOKEN');
    expect(said).not.toMatch(/sesame|not-for-children|HARNESS_TEST_SECRET/);
  });

  it('that is a program is refused when programs are off, and explains a failed start to who may know', async () => {
    expect(await failure(at(referenceServer('memory'), {}, { stdio: false }).list(never))).toMatch(/^STDIO_OFF: /);
    expect(await failure(at({ type: 'stdio', command: '/nowhere/program' }).list(never))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    const failing = { type: 'stdio', command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] } as const;
    expect(await failure(at({ ...failing, args: [...failing.args] }, { explain: true }).list(never))).toMatch(/^UPSTREAM_UNREACHABLE: .*no licence/);
    expect(await failure(at({ ...failing, args: [...failing.args] }).list(never))).not.toMatch(/licence/);
  });

  it('that died is started again for the next call', async () => {
    const upstream = at(lyingProgram());
    expect(await failure(call(upstream, 'die'))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    expect(await failure(call(upstream, 'echo'))).toBe('no failure');
  });

  it('that wants a sample, an input or our folders is told that there is no such method', async () => {
    const upstream = at(lyingProgram());
    const { content } = (await call(upstream, 'ask')) as { content: { text: string }[] };
    expect(JSON.parse(content[0]!.text)).toEqual(['sampling/createMessage', 'elicitation/create', 'roots/list'].map((method) => [method, -32601]));
  });

  it('that prints a result of 10 MB gives a stable code, and is started again', async () => {
    const upstream = at(lyingProgram());
    expect(await failure(call(upstream, 'large'))).toMatch(/^RESPONSE_TOO_LARGE: /);
    expect(await failure(call(upstream, 'echo'))).toBe('no failure');
  });

  it('that prints what is no message is left when the caller leaves, and serves the next call', async () => {
    const upstream = at(lyingProgram());
    await upstream.offered('garbage', never);
    expect(await failure(call(upstream, 'garbage', {}, AbortSignal.timeout(200)))).toMatch(/^UPSTREAM_TIMEOUT: /);
    expect(await failure(call(upstream, 'echo'))).toBe('no failure');
  });

  it('that ignores its end is killed', async () => {
    const upstream = at(lyingProgram());
    expect(await failure(call(upstream, 'immortal'))).toBe('no failure');
    const pids = childrenOf(process.pid);
    await upstream.close();
    // Nobody waits for the end of a process that was killed.
    for (const until = Date.now() + 5_000; pids.some(isAlive) && Date.now() < until; ) await turn();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('whose list changes is read again at once when it says so', async () => {
    const upstream = at(lyingProgram());
    const before = (await upstream.offered('echo', never))!.digest;
    await call(upstream, 'rewrite');
    expect((await upstream.offered('echo', never))!.digest).not.toBe(before);
  });

  it('leaves no program behind when it is closed', async () => {
    const upstream = at(referenceServer('memory'));
    await upstream.list(never);
    const pids = childrenOf(process.pid);
    expect(pids.length).toBeGreaterThan(0);
    await upstream.close();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await failure(upstream.list(never))).toMatch(/^UPSTREAM_UNREACHABLE: This server is stopping/);
  });
});
