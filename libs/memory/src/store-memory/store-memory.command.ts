import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { Confidence, Embedding, MemoryContent, MemorySources, MemoryTags } from '../memory.schema';
import type { MemoryView } from '../memory-list/memory.view';

const Name = z.string().trim().min(1).max(100);

/**
 * With `runId` it is written in that run, by the run's own agent; `scope` says whom it is for, and without one it is for everybody of the site.
 * Secrets are masked before it is stored.
 */
export const StoreMemoryBody = z.strictObject({
  content: MemoryContent,
  scope: z.strictObject({ role: Name.optional(), goalId: Name.optional(), userId: Name.optional() }).default({}),
  confidence: Confidence.default(0.5),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
  tags: MemoryTags.default([]),
  sources: MemorySources.default([]),
  embedding: Embedding.optional(),
  runId: Name.optional(),
}).meta({ id: 'StoreMemory' });
export type StoreMemoryBody = z.infer<typeof StoreMemoryBody>;

export class StoreMemory extends Command<Outcome<MemoryView>> {
  constructor(
    readonly body: StoreMemoryBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
