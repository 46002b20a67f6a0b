import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process, told apart from a later one that was given the same number. */
export type ProcessIdentity = { readonly pid: number; readonly started: string };

/** Undefined when there is no such process; one that has ended but was not collected by its parent counts as ended. */
export const identityOf = (pid: number): ProcessIdentity | undefined => {
  const started = process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
  return started === undefined ? undefined : { pid, started };
};

export const isAlive = ({ pid, started }: ProcessIdentity): boolean => identityOf(pid)?.started === started;

/** Clock ticks since boot, so the boot is part of the answer. The command in parentheses may itself hold spaces and parentheses. */
const startOnLinux = (pid: number) => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
};

const startByPs = (pid: number) => {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
};
