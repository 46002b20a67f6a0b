import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../server-process';

export type DemoServer = { readonly url: string; readonly key: string; readonly startedHere: boolean; close(): Promise<void> };

/** Settings that would make the demo's server use what belongs to somebody else. */
const FOREIGN = [
  'DATABASE_URL',
  'NATS_URL',
  'KURRENTDB_URL',
  'HARNESS_MASTER_KEY',
  'HARNESS_PREVIOUS_MASTER_KEY',
  'HARNESS_KEY',
  'HARNESS_URL',
  'SMTP_URL',
  'HARNESS_ROLES',
];

/** The server named by HARNESS_URL and HARNESS_KEY, or one of our own on a free port with data that is thrown away afterwards. */
export const demoServer = async (env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<DemoServer> => {
  const { HARNESS_URL, HARNESS_KEY } = env;
  if (HARNESS_URL && HARNESS_KEY) return { url: HARNESS_URL, key: HARNESS_KEY, startedHere: false, close: () => Promise.resolve() };

  const folder = await mkdtemp(join(tmpdir(), 'harness-demo-'));
  const key = `hk_${randomBytes(32).toString('hex')}`;
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !FOREIGN.includes(name)));
  const settings = {
    HOST: '127.0.0.1',
    PORT: '0',
    HARNESS_DATA_DIR: join(folder, 'data'),
    HARNESS_BOOTSTRAP_KEY: key,
    HARNESS_SEED: 'none',
    LOG_LEVEL: 'warn',
  };
  const server = startServer({ ...own, ...settings }, () => undefined);
  const close = async () => {
    server.stop();
    await server.exited;
    await rm(folder, { recursive: true, force: true });
  };
  const url = await server.untilReady(signal);
  if (url !== undefined) return { url, key, startedHere: true, close };
  await close();
  throw new Error('The server ended before it was ready');
};
