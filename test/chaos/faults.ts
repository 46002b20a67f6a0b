import { setTimeout as sleep } from 'node:timers/promises';
import { AGENT_RUNS, type QueueProvider } from '@app/queue';
import type { Broker } from './broker';
import type { ChaosDatabase } from './database';
import type { Fleet, Kind } from './fleet';
import type { Ledger } from './ledger';
import type { Random } from './random';

export const FAULTS = ['kill gateway', 'kill worker', 'kill database', 'stop gateway', 'stop worker', 'pause gateway', 'pause worker', 'cut connections', 'slow connections', 'deliver jobs again', 'kill broker'] as const;
export type Fault = (typeof FAULTS)[number];
export type Struck = { readonly fault: Fault; readonly detail?: string };

export type World = { readonly fleet: Fleet; readonly database: ChaosDatabase; readonly broker: Broker; readonly queue: QueueProvider; readonly ledger: Ledger; readonly siteId: string };

const KILLS = [['kill gateway', 1], ['kill worker', 1], ['kill database', 2]] as const;
const MORE = [['stop gateway', 1], ['stop worker', 1], ['pause gateway', 2], ['pause worker', 2], ['cut connections', 4], ['slow connections', 2], ['deliver jobs again', 5], ['kill broker', 4]] as const;
/** Longer than a heartbeat is believed (10 s), so that others act for a process that then goes on; rare, since it takes so long. */
const LONG_PAUSE_MS = 13_000;
const DELIVERED_AGAIN = 20;
const BROKER_AWAY_MS = 3_000;

/** Every round kills something that is up, and leaves something to kill for the next; a third of the rounds do something else as well, before or while it is dead. */
export const faultsOfRound = ({ up }: Fleet, random: Random): readonly Fault[] => {
  const chosen = random.weighted(KILLS);
  const kill = (chosen === 'kill gateway' && up('gateway').length < 2) || (chosen === 'kill worker' && up('worker').length === 0) ? 'kill database' : chosen;
  return random.chance(0.35) ? (random.chance(0.5) ? [random.weighted(MORE), kill] : [kill, random.weighted(MORE)]) : [kill];
};

/** What was ended is started again; `back` resolves when it is. */
export const strike = async (fault: Fault, { fleet, database, broker, queue, ledger, siteId }: World, random: Random): Promise<{ readonly struck: Struck; readonly back: Promise<unknown> }> => {
  const [what, kind] = fault.split(' ') as [string, Kind];
  if (fault === 'kill database') {
    await database.kill();
    return { struck: { fault }, back: database.untilBack() };
  }
  if (what === 'kill' || what === 'stop') {
    const up = fleet.up(kind);
    if (up.length === 0) return { struck: { fault, detail: 'none was up' }, back: Promise.resolve() };
    const post = random.of(up);
    const code = await post.end(what === 'kill' ? 'SIGKILL' : 'SIGTERM');
    return { struck: { fault, ...(what === 'stop' && { detail: `ended with ${code}` }) }, back: post.start() };
  }
  if (what === 'pause') {
    const up = fleet.up(kind);
    if (up.length === 0) return { struck: { fault, detail: 'none was up' }, back: Promise.resolve() };
    const { process } = random.of(up);
    const ms = random.chance(0.08) ? LONG_PAUSE_MS : 100 + random.below(1_200);
    process!.signal('SIGSTOP');
    return { struck: { fault, detail: ms === LONG_PAUSE_MS ? 'long' : 'short' }, back: sleep(ms).then(() => process!.signal('SIGCONT')) };
  }
  if (fault === 'cut connections') return { struck: { fault, detail: `${fleet.line.cut() > 0 ? 'some' : 'none'}` }, back: Promise.resolve() };
  if (fault === 'slow connections') {
    fleet.line.slow(5 + random.below(60));
    return { struck: { fault }, back: sleep(300 + random.below(700)).then(() => fleet.line.slow(0)) };
  }
  if (fault === 'kill broker') {
    if (!broker.isUp) return { struck: { fault, detail: 'none was up' }, back: Promise.resolve() };
    await broker.kill();
    return { struck: { fault }, back: sleep(random.below(BROKER_AWAY_MS)).then(() => broker.restart()) };
  }
  const runs = [...ledger.queued].slice(-DELIVERED_AGAIN);
  const sent = runs.map((runId) => queue.enqueue(AGENT_RUNS, `${runId}/again/${random.below(1_000_000)}`, { runId, siteId }, { notBefore: new Date(Date.now() + random.below(1_500)) }).catch(() => undefined));
  return { struck: { fault, detail: `${runs.length > 0 ? 'some' : 'none'}` }, back: Promise.all(sent) };
};
