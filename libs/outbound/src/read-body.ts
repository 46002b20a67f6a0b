import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { OutboundError } from './outbound-error';

export type ReadBody = { readonly bytes: Buffer; readonly isCut: boolean };

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };

/**
 * The first `maxBytes` of a body, counted after decompression, so that a small body that unfolds into a large one ends here as well.
 * What comes after is not read: the caller ends the connection.
 */
export const readBody = async (body: Readable, encoding: string, maxBytes: number, origin: string): Promise<ReadBody> => {
  const decoder = decoderOf(encoding, origin);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoder ? (pipeline(body, decoder, () => undefined) as NodeJS.ReadableStream) : body) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, maxBytes - size));
    size += bytes.length;
    if (size > maxBytes) return { bytes: Buffer.concat(chunks), isCut: true };
  }
  return { bytes: Buffer.concat(chunks), isCut: false };
};

const decoderOf = (encoding: string, origin: string) => {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return undefined;
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!decoder) throw new OutboundError('RESPONSE_INVALID', `${origin} answered in an encoding that was not asked for.`);
  return decoder();
};
