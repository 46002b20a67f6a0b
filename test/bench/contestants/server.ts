import { z } from 'zod';
import { childSettings, serve } from '../child.ts';
import { databaseUrl } from '../cluster.ts';
import { product } from '../product.ts';
import { ADMIN_KEY, MASTER_KEY, TOOLS } from '../protocol.ts';

/** The whole server as it ships, with the roles of `HARNESS_ROLES`, and two tools more that do nothing: what is measured is the way to them. */
const { connection, dist } = childSettings();
const { readConfig, startServer } = await product(dist).server();
const { coreSkills, skill } = await product(dist).skills();

const nothing = (name: string) =>
  skill(name, {
    description: 'Takes a note and does nothing with it.',
    input: z.strictObject({ note: z.string() }),
    capability: 'items:update',
    risk: 'write',
    run: () => Promise.resolve({ ok: true as const, data: { noted: true }, position: 0n }),
  });

const server = await startServer(
  readConfig({
    DATABASE_URL: databaseUrl(connection),
    HARNESS_DATA_DIR: process.env['BENCH_FOLDER'],
    HARNESS_MASTER_KEY: MASTER_KEY,
    HARNESS_ROLES: process.env['HARNESS_ROLES'],
    HARNESS_BOOTSTRAP_KEY: ADMIN_KEY,
    HARNESS_SEED: 'none',
    LOG_LEVEL: 'warn',
    PORT: '0',
  }),
  [...coreSkills, nothing(TOOLS.safe), nothing(TOOLS.dangerous)],
);

serve({
  url: () => server.url,
  stop: () => server.stop(),
});
