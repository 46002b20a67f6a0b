import { createHash, hash as sha256Of } from 'node:crypto';
import { Pool } from 'pg';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';

/** The verification of the log's chain, and one core's bare sha256 over the very bytes that it hashes. */
const { connection, dist } = childSettings();
const { canonicalEvent, storedEvents, verifyChain } = await product(dist).eventStore();
const pool = new Pool({ ...connection, max: 1 });

const CHUNK = 10_000;
let chunks: Buffer[] = [];
let events: Buffer[] = [];

const verify = async () => {
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  const verdict = await verifyChain(pool);
  const seconds = (performance.now() - from) / 1000;
  if (!verdict.ok) throw new Error(`The chain is broken: ${verdict.detail}`);
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: Number(BigInt.asIntN(53, verdict.events)) / seconds, seconds, clientCores: (user + system) / 1e6 / seconds };
};

/** Keeps the canonical JSON of all events in memory, so that hashing it needs neither the database nor any conversion. */
const load = async (count: number) => {
  chunks = [];
  events = [];
  for (let first = 1; first <= count; first += CHUNK) {
    const positions = Array.from({ length: Math.min(CHUNK, count - first + 1) }, (_, n) => BigInt(first + n));
    const texts = (await storedEvents(pool, positions)).map((event) => Buffer.from(canonicalEvent(event)));
    const chunk = Buffer.concat(texts);
    chunks.push(chunk);
    let end = 0;
    for (const { length } of texts) events.push(chunk.subarray(end, (end += length)));
  }
  return chunks.reduce((sum, { length }) => sum + length, 0);
};

const hash = () => {
  const from = performance.now();
  const sha256 = createHash('sha256');
  for (const chunk of chunks) sha256.update(chunk);
  sha256.digest();
  return rate(from);
};

const hashEach = () => {
  const from = performance.now();
  for (const event of events) sha256Of('sha256', event, 'binary');
  return rate(from);
};

const rate = (from: number) => {
  const seconds = (performance.now() - from) / 1000;
  return { perSecond: events.length / seconds, seconds };
};

serve({ verify, load, hash, hashEach });
