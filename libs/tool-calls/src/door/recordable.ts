import { canonicalJson } from '@app/event-store';
import type { CallOutcome } from '../settle-tool-call/settle-tool-call.decide';

const MAX_RESULT_BYTES = 512 * 1024;

/** What can be kept of a result: plain JSON of bounded size, with NUL and lone surrogates replaced, because PostgreSQL text holds neither. */
export const recordable = (result: unknown, runtimeMs: number): CallOutcome => {
  const replaced = { characters: 0 };
  const clean = storableJson(JSON.parse(JSON.stringify(result ?? null)), replaced);
  const bytes = Buffer.byteLength(canonicalJson(clean));
  return bytes > MAX_RESULT_BYTES
    ? { ok: false, reason: 'handler_failed', error: `The result has ${bytes} bytes; at most ${MAX_RESULT_BYTES} can be recorded`, runtimeMs }
    : { ok: true, result: clean, runtimeMs, resultBytes: bytes, ...(replaced.characters > 0 && { replacedCharacters: replaced.characters }) };
};

type Replaced = { characters: number };

/** NUL, and surrogates that are no half of a pair. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

const storable = (text: string, replaced: Replaced): string =>
  text.includes('\0') || !text.isWellFormed()
    ? text.replace(UNSTORABLE, () => {
        replaced.characters++;
        return '\ufffd';
      })
    : text;

const storableJson = (value: unknown, replaced: Replaced): unknown => {
  if (typeof value === 'string') return storable(value, replaced);
  if (Array.isArray(value)) return value.map((inner) => storableJson(inner, replaced));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key, replaced), storableJson(inner, replaced)]));
};

/** The sentence of a failure, as it can be kept. */
export const recordableSentence = (error: unknown) => storable((error as { message?: unknown } | null)?.message === undefined ? String(error) : String((error as Error).message), { characters: 0 }).slice(0, 2_000);
