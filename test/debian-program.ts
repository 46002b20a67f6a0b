import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The machine, as far as the installation needs it. */
export type Machine = {
  readonly isRoot: boolean;
  /** Rejects when the program is missing or fails. */
  run(program: string, ...parameters: string[]): Promise<unknown>;
  wait(ms: number): Promise<unknown>;
};

export const thisMachine: Machine = {
  isRoot: process.getuid?.() === 0,
  run: (program, ...parameters) =>
    promisify(execFile)(program, parameters, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 16 * 1024 * 1024 }),
  wait: (ms) => setTimeout(ms),
};

const ATTEMPTS = 60;
/** Another suite, or the machine itself, is installing something at this moment. */
const BUSY = /could not get lock|unable to acquire|unable to lock/i;

/** A program, the Debian package it comes from, and where others get it. */
export type DebianProgram = { readonly program: string; readonly from?: string; readonly download: string };

/** Makes sure that a program can be started. Root on a Debian machine gets it installed; everybody else is told how. */
export const ensureProgram = async ({ program, from = program, download }: DebianProgram, { isRoot, run, wait }: Machine = thisMachine): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const present = await run(program, '--version').then(
      () => true,
      () => false,
    );
    if (present) return;
    if (!isRoot) throw new Error(`These tests need ${program}: install it (Debian: sudo apt-get install ${from}) and run them again.`);
    try {
      await run('apt-get', 'update');
      return void (await run('apt-get', 'install', '--yes', '--no-install-recommends', from));
    } catch (cause) {
      if (attempt === ATTEMPTS || !BUSY.test(String((cause as Error).message)))
        throw new Error(`These tests need ${program}, and apt-get could not install it. Install it by hand: ${download}`, { cause });
      await wait(2_000);
    }
  }
};

export const NATS_SERVER: DebianProgram = { program: 'nats-server', download: 'https://nats.io/download/' };
export const CHROMIUM: DebianProgram = { program: 'chromium', download: 'https://www.chromium.org/getting-involved/download-chromium/' };
export const PROMETHEUS: DebianProgram = { program: 'prometheus', download: 'https://prometheus.io/download/' };
export const PROMTOOL: DebianProgram = { program: 'promtool', from: 'prometheus', download: 'https://prometheus.io/download/' };
