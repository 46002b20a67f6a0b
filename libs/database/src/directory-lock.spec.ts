import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCK_FILE, lockDirectory } from './directory-lock';
import { identityOf, isAlive } from './process-identity';

describe('The lock of a data directory', () => {
  let directory: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'lock-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  const file = () => join(directory, LOCK_FILE);
  /** A process that runs until it is killed. */
  const running = async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 1e9)'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(child);
    await once(child.stdout, 'data');
    return child;
  };

  it('names its holder, and is gone after the release', () => {
    const lock = lockDirectory(directory);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(identityOf(process.pid));
    lock.release();
    expect(readdirSync(directory)).toEqual([]);
    lockDirectory(directory).release();
  });

  it('turns others away while its holder lives, with the directory and the process in the sentence', async () => {
    const holder = await running();
    writeFileSync(file(), JSON.stringify(identityOf(holder.pid!)));
    expect(() => lockDirectory(directory)).toThrow(`The data directory ${directory} is in use by the running process ${holder.pid}.`);
    expect(readdirSync(directory)).toEqual([LOCK_FILE]);
  });

  it('passes on when its holder was killed', async () => {
    const holder = await running();
    writeFileSync(file(), JSON.stringify(identityOf(holder.pid!)));
    const ended = once(holder, 'exit');
    holder.kill('SIGKILL');
    await ended;
    lockDirectory(directory);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual(identityOf(process.pid));
  });

  it('passes on when its number belongs to another process by now', async () => {
    const other = await running();
    writeFileSync(file(), JSON.stringify({ pid: other.pid, started: 'before the last boot' }));
    lockDirectory(directory).release();
  });

  it.each(['', 'x', '{}', 'null'])('passes on when its file holds %j, which no holder writes', (text) => {
    writeFileSync(file(), text);
    lockDirectory(directory).release();
  });

  it('is not released by one who no longer holds it', async () => {
    const lock = lockDirectory(directory);
    const successor = JSON.stringify(identityOf((await running()).pid!));
    writeFileSync(file(), successor);
    lock.release();
    expect(readFileSync(file(), 'utf8')).toBe(successor);
  });

  it('knows a process from its successor and from the dead', async () => {
    const child = await running();
    const identity = identityOf(child.pid!)!;
    expect(isAlive(identity)).toBe(true);
    expect(isAlive({ ...identity, started: 'earlier' })).toBe(false);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect(isAlive(identity)).toBe(false);
    expect(existsSync(`/proc/${process.pid}`)).toBe(process.platform === 'linux');
  });
});
