import { readFile } from 'node:fs/promises';
import { UsageError } from './session';

/** A JSON document from a file that the person named. */
export const jsonFile = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
  });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${file} is not JSON: ${(cause as Error).message}`);
  }
};
