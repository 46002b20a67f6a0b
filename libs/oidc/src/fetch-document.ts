import { IssuerUnavailable } from './issuer-unavailable';

/** Discovery documents and key sets are a few kilobytes. */
const MAX_BYTES = 262_144;

/** A small JSON document of an issuer. Nothing is followed elsewhere, and no more than 256 KiB are read. Rejects with `IssuerUnavailable`. */
export const fetchDocument = async (url: string, init: { readonly signal: AbortSignal; readonly headers?: Headers }): Promise<unknown> => {
  try {
    const answer = await fetch(url, { ...init, method: 'GET', redirect: 'manual' });
    if (answer.status !== 200) throw new Error(`status ${answer.status}`);
    return JSON.parse(await textOf(answer)) as unknown;
  } catch (error) {
    throw new IssuerUnavailable(`${url}: ${reasonOf(error)}`, { cause: error });
  }
};

const textOf = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early ends the connection.
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};

/** Node hides why a connection failed behind "fetch failed". */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as { readonly message?: string; readonly cause?: { readonly message?: string; readonly code?: string } };
  return cause?.code ?? cause?.message ?? message ?? 'no answer';
};
