import { readdirSync, readFileSync } from 'node:fs';

/** The processes that were started by this one and have not ended, as Linux lists them. */
export const childrenOf = (parent: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)?.parent === parent && isAlive(pid));

/** A process that has ended and waits for its parent counts as ended. */
export const isAlive = (pid: number): boolean => {
  const stat = statOf(pid);
  return stat !== undefined && stat.state !== 'Z';
};

const statOf = (pid: number): { readonly state: string; readonly parent: number } | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = '0'] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
};
