import { z } from 'zod';
import { memoryForPrompt } from '../memory-for-prompt.policy';
import { MemoryProvenance, MemoryScope, type KeptText } from '../memory.schema';
import type { LiveMemory } from '../memory.state';

export const MemoryView = z.object({
  id: z.string(), scope: MemoryScope, content: z.string(), tags: z.array(z.string()), sources: z.array(z.string()), hasEmbedding: z.boolean(), confidence: z.number(),
  expiresAt: z.string().nullable(), provenance: MemoryProvenance, redactions: z.number(), createdAt: z.string(), changedAt: z.string(),
}).meta({ id: 'Memory' });
export type MemoryView = Readonly<z.infer<typeof MemoryView>>;

/** `score` is similarity × confidence × recency, each from 0 to 1. */
export const FoundMemory = MemoryView.extend({ similarity: z.number(), recency: z.number(), score: z.number() }).meta({ id: 'FoundMemory' });
export type FoundMemory = Readonly<z.infer<typeof FoundMemory>>;

export const memoryView = ({ memoryId: id, scope, confidence, expiresAt, provenance, revision, storedAt: createdAt, changedAt }: LiveMemory, text: KeptText): MemoryView => ({
  id, scope, ...memoryForPrompt(text), hasEmbedding: text.embedding !== null, confidence, expiresAt, provenance, redactions: revision - 1, createdAt, changedAt,
});
