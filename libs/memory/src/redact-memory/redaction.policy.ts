import { maskSecrets } from '@app/vault/contract';
import type { KeptText } from '../memory.schema';
import type { RedactMemoryBody } from './redact-memory.command';

export const REDACTED = '[redacted]';

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

const without = (texts: readonly string[]) => {
  const pattern = new RegExp(texts.toSorted((a, b) => b.length - a.length).map(literally).join('|'), 'giu');
  return (text: string) => text.replaceAll(pattern, REDACTED);
};

/** The text that takes the place of this one; its embedding would tell what was taken out, so it has none. Undefined when there is nothing to take out. */
export const redacted = (kept: KeptText, { texts, content }: Pick<RedactMemoryBody, 'texts' | 'content'>): KeptText | undefined => {
  if (content !== undefined) return maskSecrets({ ...kept, content, embedding: null }).masked;
  const clean = without(texts ?? []);
  const after = { content: clean(kept.content), tags: kept.tags.map(clean), sources: kept.sources.map(clean), embedding: null };
  const isSame = after.content === kept.content && [...after.tags, ...after.sources].every((text, nr) => text === [...kept.tags, ...kept.sources][nr]);
  return isSame ? undefined : maskSecrets(after).masked;
};
