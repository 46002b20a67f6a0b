import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';

/** The tools of a server as it told them, entry by entry. `isWhole` is false when it told more than is read. */
export type Listing = { readonly entries: readonly unknown[]; readonly isWhole: boolean };

export const MAX_TOOLS = 1_000;
const MAX_PAGES = 100;
/** One definition may hold two schemas of 64 KiB; all of them together become events of one append. */
const MAX_ENTRY_BYTES = 160 * 1024;
const MAX_LISTING_BYTES = 4 * 1024 * 1024;
const REQUEST_MS = 15_000;

/** Entries are read one by one later: one that is no tool must not hide the others. */
const Page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });

/** Reads page after page until the end, a bound, or the abort of the signal. */
export const listTools = async (client: Client, signal: AbortSignal): Promise<Listing> => {
  const entries: unknown[] = [];
  let bytes = 0;
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.request({ method: 'tools/list', params: cursor === undefined ? {} : { cursor } }, Page, { signal, timeout: REQUEST_MS });
    for (const entry of answer.tools) {
      const size = sizeOf(entry);
      bytes += Math.min(size, MAX_ENTRY_BYTES);
      if (entries.length >= MAX_TOOLS || bytes > MAX_LISTING_BYTES) return { entries, isWhole: false };
      entries.push(size > MAX_ENTRY_BYTES ? { name: (entry as { name?: unknown }).name, oversized: size } : entry);
    }
    if (answer.nextCursor === undefined || answer.nextCursor === '') return { entries, isWhole: true };
    cursor = answer.nextCursor;
  }
  return { entries, isWhole: false };
};

/** Infinite for what is nested too deep to be written out again. */
const sizeOf = (entry: unknown): number => {
  try {
    return (JSON.stringify(entry) ?? '').length;
  } catch {
    return Infinity;
  }
};
