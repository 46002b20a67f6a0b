import { ProblemException } from '@app/http';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/** Bytes of an import, unpacked. A client with more sends several. */
export const MAX_IMPORT_BYTES = 64 * 1_048_576;
/** An item is not longer, and neither is its line. */
const MAX_LINE_BYTES = 1_100_000;

/** Line by line from the beginning, as often as it is asked for. */
export type Lines = () => AsyncGenerator<Buffer, void, undefined>;

/**
 * Puts a body aside in a file, unpacked, so that all of it can be looked at before any of it is used, and gives its lines. Unpacking stops at the first
 * byte beyond the limit, however small the archive was; at no time is more than a piece of it in memory. The file is gone afterwards.
 */
export const withLinesOf = async <T>(body: Readable, encoding: string | undefined, use: (lines: Lines) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'harness-import-'));
  try {
    const file = join(folder, 'lines');
    await putAside(body, encoding, file);
    return await use(() => linesOf(createReadStream(file)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const putAside = async (body: Readable, encoding: string | undefined, file: string): Promise<void> => {
  const unpacking = unpackerOf(encoding);
  try {
    await pipeline([body, atMost(MAX_IMPORT_BYTES), ...(unpacking ? [unpacking, atMost(MAX_IMPORT_BYTES)] : []), createWriteStream(file)]);
  } catch (error) {
    if (error instanceof ProblemException) throw error;
    if (/^(Z_|ERR_BUFFER)/.test((error as { code?: string }).code ?? '')) throw ProblemException.invalid([{ pointer: '', detail: 'Is no gzip, or was cut off' }], 'The body cannot be unpacked.');
    throw error;
  }
};

const unpackerOf = (encoding: string | undefined) => {
  if (encoding === undefined || encoding === 'identity') return undefined;
  if (encoding === 'gzip') return createGunzip();
  throw new ProblemException(415, 'VALIDATION_FAILED', 'Send the body as it is, or packed with gzip.', { kept: false });
};

const atMost = (limit: number) => {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= limit) return done(null, chunk);
      done(new ProblemException(413, 'PAYLOAD_TOO_LARGE', `An import has at most ${limit} bytes, unpacked; send it in parts.`, { facts: { limit }, kept: false }));
    },
  });
};

async function* linesOf(file: Readable): AsyncGenerator<Buffer, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 0;
  const tooLong = () => ProblemException.invalid([{ pointer: `/${line + 1}`, detail: `A line has at most ${MAX_LINE_BYTES} bytes` }], 'The import does not fit.');
  for await (const chunk of file as AsyncIterable<Buffer>) {
    const text = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10, from)) {
      if (end - from > MAX_LINE_BYTES) throw tooLong();
      line++;
      yield text.subarray(from, end);
      from = end + 1;
    }
    rest = text.subarray(from);
    if (rest.length > MAX_LINE_BYTES) throw tooLong();
  }
  if (rest.length > 0) yield rest;
}
