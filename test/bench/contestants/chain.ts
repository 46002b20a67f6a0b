import { createHash } from 'node:crypto';
import { Pool } from 'pg';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';

/** The verification of the log's chain, and one core's bare sha256 over the very bytes that it hashes. */
const { connection, dist } = childSettings();
const { canonicalEvent, storedEvents, verifyChain } = await product(dist).eventStore();
const pool = new Pool({ ...connection, max: 1 });

const CHUNK = 10_000;
let chunks: Buffer[] = [];

const verify = async () => {
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  const verdict = await verifyChain(pool);
  const seconds = (performance.now() - from) / 1000;
  if (!verdict.ok) throw new Error(`The chain is broken: ${verdict.detail}`);
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: Number(BigInt.asIntN(53, verdict.events)) / seconds, seconds, nodeCores: (user + system) / 1e6 / seconds };
};

/** Keeps the canonical JSON of all events in memory, so that hashing it needs neither the database nor any conversion. */
const load = async (events: number) => {
  chunks = [];
  for (let first = 1; first <= events; first += CHUNK) {
    const positions = Array.from({ length: Math.min(CHUNK, events - first + 1) }, (_, n) => BigInt(first + n));
    chunks.push(Buffer.concat((await storedEvents(pool, positions)).map((event) => Buffer.from(canonicalEvent(event)))));
  }
  return chunks.reduce((sum, { length }) => sum + length, 0);
};

const hash = (events: number) => {
  const from = performance.now();
  const sha256 = createHash('sha256');
  for (const chunk of chunks) sha256.update(chunk);
  sha256.digest();
  const seconds = (performance.now() - from) / 1000;
  return { perSecond: events / seconds, seconds };
};

serve({ verify, load, hash });
