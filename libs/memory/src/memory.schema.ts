import { z } from 'zod';

export const MAX_CONTENT = 8_000;
export const MAX_DIMENSIONS = 4_096;

export const MemoryContent = z.string().trim().min(1).max(MAX_CONTENT);
export const MemoryTags = z.array(z.string().trim().min(1).max(60)).max(20);
/** Where the content was learnt, in the words of whoever wrote it. */
export const MemorySources = z.array(z.string().trim().min(1).max(500)).max(20);
export const Embedding = z.array(z.number()).min(1).max(MAX_DIMENSIONS);
/** How sure its writer is, from 0 to 1. */
export const Confidence = z.number().min(0).max(1);

const Name = z.string().trim().min(1).max(100);

/** Whom a memory is for, on its site: what is null is for all. */
export const MemoryScope = z.strictObject({ role: Name.nullable(), goalId: Name.nullable(), userId: Name.nullable() }).meta({ id: 'MemoryScope' });
export type MemoryScope = Readonly<z.infer<typeof MemoryScope>>;

export const Person = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional(), userId: z.string().optional() });
export type Person = Readonly<z.infer<typeof Person>>;

/** Who wrote it, and the run it was written in; null for what was written without one. */
export const MemoryProvenance = z.strictObject({
  by: Person, runId: z.string().nullable(), goalId: z.string().nullable(), agentName: z.string().nullable(), agentRole: z.string().nullable(),
}).meta({ id: 'MemoryProvenance' });
export type MemoryProvenance = Readonly<z.infer<typeof MemoryProvenance>>;

/** What is sealed of a memory: whatever somebody wrote. */
export const KeptText = z.strictObject({ content: z.string(), tags: z.array(z.string()), sources: z.array(z.string()), embedding: z.array(z.number()).nullable() });
export type KeptText = Readonly<z.infer<typeof KeptText>>;
