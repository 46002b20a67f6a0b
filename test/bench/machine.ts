import { closeSync, fdatasyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.ts';

/** What a reader must know of the machine to understand absolute figures. */
export const machineFacts = (folder: string): Readonly<Record<string, number | string>> => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${type()} ${release()}`,
  fileSystem: fileSystemOf(folder),
  fdatasyncMs: fdatasyncMs(folder),
});

const fileSystemOf = (folder: string): string => {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    const below = mounts.filter(([, point = '']) => folder === point || folder.startsWith(point.endsWith('/') ? point : `${point}/`));
    return below.sort(([, a = ''], [, b = '']) => b.length - a.length)[0]?.[2] ?? 'unknown';
  } catch {
    return 'unknown';
  }
};

/** Median time until 8 kB, written to a file of its final size, are on disk: what a lone commit waits for. */
const fdatasyncMs = (folder: string): number => {
  const file = join(folder, 'fdatasync');
  const descriptor = openSync(file, 'w');
  const page = Buffer.alloc(8192, 1);
  const times: number[] = [];
  for (let i = 0; i < 300; i++) {
    const from = performance.now();
    writeSync(descriptor, page, 0, page.length, (i % 100) * page.length);
    fdatasyncSync(descriptor);
    if (i >= 100) times.push(performance.now() - from);
  }
  closeSync(descriptor);
  rmSync(file);
  return Math.round(median(times) * 1000) / 1000;
};
