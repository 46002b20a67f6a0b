import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testServer, type Body, type TestServer } from './server';

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text: text! }));

describe('The README', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer();
  });
  afterAll(() => server.close());

  it('[SETUP-021] holds the two commands, a diagram, and a first job by curl that works as printed', async () => {
    const [commands, diagram] = blocks;
    expect(commands!.text.match(/^npm ci && npm \w+/gm)).toEqual(['npm ci && npm start', 'npm ci && npm test']);
    expect(diagram!.text.match(/[│▼▲─┐└]/g)!.length).toBeGreaterThan(20);

    const job = blocks.find(({ language, text }) => language === 'bash' && text.startsWith('# first job\n'))!.text;
    const own = job.replace(/^H=.*$/m, `H=${server.url}`).replace(/^KEY=.*$/m, `KEY=${server.admin.key}`);
    expect(own.split('\n').filter((line, nr) => line !== job.split('\n')[nr])).toHaveLength(2);
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', own], { env: { PATH: process.env['PATH'] } });

    expect(stderr).toBe('');
    const lines = stdout.split('\n').filter((line) => line !== '');
    const answers = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as Body);
    const [updated, approval, decided, completed, history] = answers;
    expect(answers).toHaveLength(5);
    expect(updated.data).toMatchObject({ status: 'executed', result: { data: { title: 'Teapot' } } });
    expect(approval.data).toMatchObject({ status: 'pending', tool: 'deleteItem' });
    expect(decided.data).toMatchObject({ status: 'approved' });
    expect(completed.data).toMatchObject({ status: 'succeeded' });
    expect((history.data as Body[]).map(({ type }: Body) => type as string)).toEqual(expect.arrayContaining(['RunStarted', 'EnvelopeSealed', 'ToolCallAuthorised', 'ToolCallSucceeded']));
    const items = await server.pool.query<Body>(`SELECT type FROM es_event WHERE stream_id LIKE 'item-%' AND data::jsonb #>> '{data,sku}' = 'T-1' OR type = 'ItemDeleted'`);
    expect(items.rows.map(({ type }: Body) => type as string)).toEqual(['ItemCreated', 'ItemDeleted']);
    expect(lines.at(-2)).toBe('event: verdict');
    expect(JSON.parse(lines.at(-1)!.slice('data: '.length))).toMatchObject({ ok: true });
  });
});
