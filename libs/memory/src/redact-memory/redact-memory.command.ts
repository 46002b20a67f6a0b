import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { MemoryContent } from '../memory.schema';
import type { MemoryView } from '../memory-list/memory.view';

/** Either the words that have to go, wherever they stand in content, tags and sources, or a content in place of the whole. */
export const RedactMemoryBody = z.strictObject({
  texts: z.array(z.string().min(1).max(1_000)).min(1).max(50).optional(),
  content: MemoryContent.optional(),
}).refine(({ texts, content }) => (texts === undefined) !== (content === undefined), { path: ['texts'], message: 'Give either `texts` to take out or a `content` in place of the one that is there' }).meta({ id: 'RedactMemory' });
export type RedactMemoryBody = z.infer<typeof RedactMemoryBody>;

export class RedactMemory extends Command<Outcome<MemoryView>> {
  constructor(
    readonly memoryId: string,
    readonly body: RedactMemoryBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
