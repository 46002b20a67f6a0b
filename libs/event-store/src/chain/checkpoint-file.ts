import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fromCheckpointJson, toCheckpointJson, type Checkpoint } from './checkpoint';

/**
 * Signed checkpoints outside of the database, one JSON object a line, oldest first. Who rewrites the database's history cannot make it
 * agree with this file; copy it away, or publish it, and the file itself needs no trust either.
 */
export class CheckpointFile {
  readonly path: string;

  /** The file is `checkpoints.ndjson` in a directory, beside the key that signs. */
  constructor(private readonly directory: string) {
    this.path = join(directory, 'checkpoints.ndjson');
  }

  /** Durable when it returns. The leading line break ends a line that a crash left unfinished. */
  async append(checkpoint: Checkpoint): Promise<void> {
    await mkdir(this.directory, { recursive: true });
    const file = await open(this.path, 'a+', 0o644);
    try {
      const { size } = await file.stat();
      const last = size === 0 ? '\n' : String.fromCharCode((await file.read(Buffer.alloc(1), 0, 1, size - 1)).buffer[0]!);
      await file.appendFile(`${last === '\n' ? '' : '\n'}${JSON.stringify(toCheckpointJson(checkpoint))}\n`);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /**
   * Every checkpoint in the file. A line that is none is passed over: a crash can leave half a line, and who can spoil a line can also
   * remove it, which is why copies belong elsewhere.
   */
  async read(): Promise<readonly Checkpoint[]> {
    return (await this.text()).split('\n').flatMap((line) => parsed(line) ?? []);
  }

  private async text(): Promise<string> {
    try {
      return await readFile(this.path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

const parsed = (line: string): Checkpoint | null => {
  try {
    return fromCheckpointJson(JSON.parse(line));
  } catch {
    return null;
  }
};
