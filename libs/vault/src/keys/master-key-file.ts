import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MasterKey } from './master-key';

/** The key of a data directory could not be read as one. */
export class MasterKeyUnreadable extends Error {}

/**
 * The master key of a data directory, made at first use: `vault/master-key`, mode 0600. When two processes come first at once, both get the
 * key of the one that was faster. Whoever loses this file loses every sealed value.
 */
export const masterKeyIn = async (dataDir: string): Promise<MasterKey> => {
  const directory = join(dataDir, 'vault');
  const file = join(directory, 'master-key');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const text = (await existing(file)) ?? (await create(file));
  const key = MasterKey.of(text.trim());
  if (!key) throw new MasterKeyUnreadable(`The file ${file} holds no master key of 32 bytes. Restore it from a backup; without it no sealed value can be opened.`);
  return key;
};

const existing = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** A whole file under another name, then a link: nobody ever reads half a key, and the second of two cannot replace the first. */
const create = async (file: string): Promise<string> => {
  const text = MasterKey.generate().export();
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${text}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(file, 'utf8');
  } finally {
    await unlink(draft);
  }
};
