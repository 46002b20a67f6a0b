import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PeersOption } from './options.ts';

const FOLDER = join(import.meta.dirname, 'peers');
const INSTALLED = join(FOLDER, 'node_modules/.package-lock.json');

export type Peers =
  { readonly ok: true; readonly versions: Readonly<Record<string, string>> } | { readonly ok: false; readonly reason: string };

/** Installs the peers in their own folder unless they are there already. Without them the run goes on, and says what it could not compare. */
export const peersFor = async (wanted: PeersOption): Promise<Peers> => {
  if (wanted === 'none') return { ok: false, reason: 'This run was told to leave the peers out.' };
  if (!isUpToDate()) {
    if (wanted === 'installed') return { ok: false, reason: 'The peers are not installed, and this run was told not to install them.' };
    try {
      await promisify(execFile)('npm', ['ci'], { cwd: FOLDER });
    } catch (error) {
      return { ok: false, reason: `The peers could not be installed: ${(error as { stderr?: string }).stderr?.trim() || String(error)}` };
    }
  }
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'optionalDependencies',
    Record<string, string>
  >;
  const ofThisMachine = Object.entries(optionalDependencies).filter(([name]) => name.endsWith(`-${process.platform}-${process.arch}`));
  return { ok: true, versions: { ...dependencies, ...Object.fromEntries(ofThisMachine) } };
};

const isUpToDate = () => existsSync(INSTALLED) && statSync(INSTALLED).mtimeMs >= statSync(join(FOLDER, 'package-lock.json')).mtimeMs;

export const peerFile = (name: string) => join(FOLDER, `${name}.mjs`);

/** The program that a peer needs beside its library, and which npm has for some machines only. */
export const peerProgram = (name: string): string =>
  join(FOLDER, `node_modules/@restatedev/${name}-${process.platform}-${process.arch}/bin/${name}`);
