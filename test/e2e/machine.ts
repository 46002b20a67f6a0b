import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const LISTEN = '0A';
const POLL_MS = 10;

/** Asks again and again, and answers the first answer that says something; throws after the time with `what` was waited for. */
export const until = async <T>(ask: () => T | Promise<T>, what: () => string, withinMs: number): Promise<NonNullable<T>> => {
  for (const deadline = performance.now() + withinMs; ; await sleep(POLL_MS)) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what()}`);
  }
};

/** Processes that have this folder as their working directory, as all of PostgreSQL's have their cluster. */
export const processesIn = (folder: string): number[] => {
  try {
    const real = realpathSync(folder);
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry) && link(`/proc/${entry}/cwd`) === real).map(Number);
  } catch {
    return [];
  }
};

/** False for a process that has ended meanwhile. */
export const signalTo = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
};

export const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

/** The TCP addresses a process listens on, as the kernel knows them: `127.0.0.1:4600`. */
export const listeningAddresses = (pid: number): string[] => {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(link(`/proc/${pid}/fd/${fd}`))?.[1]));
  return ['tcp', 'tcp6'].flatMap((family) =>
    readFileSync(`/proc/${pid}/net/${family}`, 'utf8').split('\n').slice(1).map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === LISTEN && own.has(fields[9]))
      .map(([, local]) => addressOf(local!)),
  ).sort();
};

const link = (path: string) => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};

/** Words of four bytes, each with its last byte first. */
const addressOf = (local: string) => {
  const [address, port] = local.split(':') as [string, string];
  const bytes = address.match(/.{8}/g)!.flatMap((word) => word.match(/../g)!.reverse()).map((byte) => parseInt(byte, 16));
  return `${bytes.length === 4 ? bytes.join('.') : `[${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}]`}:${parseInt(port, 16)}`;
};
