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

/** Makes sure that `nats-server` can be started. Root on a Debian machine gets it installed; everybody else is told how. */
export const ensureNatsServer = async ({ isRoot, run, wait }: Machine): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    const present = await run('nats-server', '--version').then(
      () => true,
      () => false,
    );
    if (present) return;
    if (!isRoot) throw new Error('These tests need nats-server: install it (Debian: sudo apt-get install nats-server) and run them again.');
    try {
      await run('apt-get', 'update');
      return void (await run('apt-get', 'install', '--yes', '--no-install-recommends', 'nats-server'));
    } catch (cause) {
      if (attempt === ATTEMPTS || !BUSY.test(String((cause as Error).message)))
        throw new Error('These tests need nats-server, and apt-get could not install it. Install it by hand: https://nats.io/download/', {
          cause,
        });
      await wait(2_000);
    }
  }
};
