import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Confidence, MemoryProvenance, MemoryScope, Person } from './memory.schema';

/** `sealed` holds content, tags, sources and embedding, under a key of this revision alone. */
export const memoryEvents = eventFamily('memory', {
  MemoryStored: z.strictObject({
    memoryId: z.string(), siteId: z.string(), scope: MemoryScope, sealed: z.string(), confidence: Confidence, expiresAt: z.string().nullable(), provenance: MemoryProvenance, at: z.string(),
  }),
  /** Another text takes the place of the one before, whose key is destroyed. */
  MemoryRedacted: z.strictObject({ revision: z.int().min(2), sealed: z.string(), by: Person, at: z.string() }),
  MemoryForgotten: z.strictObject({ by: Person, at: z.string() }),
});
export type MemoryEvent = EventOf<typeof memoryEvents>;
