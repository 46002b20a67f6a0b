import { maskSecrets } from '@app/vault/contract';
import type { KeptText } from './memory.schema';

/**
 * What of a memory may be shown, to a model or to anybody: it is masked once more, by the patterns of today, because what was stored was
 * masked by those of its day. Every reader takes memories through here.
 */
export const memoryForPrompt = ({ content, tags, sources }: Pick<KeptText, 'content' | 'tags' | 'sources'>): Pick<KeptText, 'content' | 'tags' | 'sources'> =>
  maskSecrets({ content, tags, sources }).masked;
