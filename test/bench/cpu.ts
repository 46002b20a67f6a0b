import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux counts in 1/100 s on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

type Stat = { readonly pid: string; readonly parent: string; readonly used: number; readonly ofEnded: number };

const statOf = (pid: string): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; the parent is the second field behind it, the four times are fields 12 to 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return { pid, parent: fields[1]!, used: user + system, ofEnded: endedUser + endedSystem };
  } catch {
    return undefined;
  }
};

/** CPU seconds of a process and all its children so far, ended ones included; NaN where there is no /proc. */
export const familyCpuSeconds = (parent: string): number => {
  if (!existsSync('/proc')) return Number.NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat !== undefined);
  const own = all.find(({ pid }) => pid === parent);
  const living = all.filter((stat) => stat.parent === parent).reduce((sum, { used }) => sum + used, 0);
  return own ? (own.used + own.ofEnded + living) / TICKS_PER_SECOND : Number.NaN;
};

/** CPU seconds of the ended children of this process. */
export const endedChildrenCpuSeconds = (): number => (statOf(String(process.pid))?.ofEnded ?? Number.NaN) / TICKS_PER_SECOND;
