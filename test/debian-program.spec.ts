import { describe, expect, it } from '@jest/globals';
import { ensureProgram, NATS_SERVER, type Machine } from './debian-program';

/** A machine that remembers what was run on it, and on which some programs are missing or fail. */
const machine = ({ isRoot = true, has = false, failures = [] as string[] }) => {
  const ran: string[] = [];
  let present = has;
  const run: Machine['run'] = (program, ...parameters) => {
    ran.push([program, ...parameters].join(' '));
    if (program === 'nats-server') return present ? Promise.resolve() : Promise.reject(new Error('ENOENT'));
    const failure = failures.shift();
    if (failure) return Promise.reject(new Error(failure));
    present ||= parameters[0] === 'install';
    return Promise.resolve();
  };
  return { isRoot, run, ran, wait: () => Promise.resolve() };
};

describe('A program that the tests need, such as the NATS server,', () => {
  it('is used as it is where there is one', async () => {
    const here = machine({ isRoot: false, has: true });
    await ensureProgram(NATS_SERVER, here);
    expect(here.ran).toEqual(['nats-server --version']);
  });

  it('is installed for root from the lists of today', async () => {
    const here = machine({});
    await ensureProgram(NATS_SERVER, here);
    expect(here.ran.slice(1)).toEqual(['apt-get update', expect.stringMatching(/^apt-get install --yes .*nats-server$/)]);
  });

  it('is waited for while somebody else uses the package manager', async () => {
    const here = machine({ failures: ['E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)'] });
    await ensureProgram(NATS_SERVER, here);
    expect(here.ran.filter((line) => line === 'apt-get update')).toHaveLength(2);
  });

  it('is asked for where the user may not install it', async () => {
    const here = machine({ isRoot: false });
    await expect(ensureProgram(NATS_SERVER, here)).rejects.toThrow('sudo apt-get install nats-server');
    expect(here.ran).toEqual(['nats-server --version']);
  });

  it('is asked for where the installation fails, with the reason kept', async () => {
    await expect(ensureProgram(NATS_SERVER, machine({ failures: ['no network'] }))).rejects.toMatchObject({
      message: expect.stringContaining('nats.io/download'),
      cause: expect.objectContaining({ message: 'no network' }),
    });
  });
});
