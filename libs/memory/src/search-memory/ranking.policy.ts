import type { KeptText } from '../memory.schema';
import { isExpired, isInScope, type Reader, type Scoped } from '../scope.policy';
import { cosine, similarityTo } from './similarity.policy';

/** In 30 days a memory counts for half as much, in 60 for a quarter. */
export const HALF_LIFE_MS = 30 * 86_400_000;

export type Question = { readonly text?: string | undefined; readonly embedding?: readonly number[] | undefined };
export type Candidate = Scoped & { readonly id: string; readonly text: KeptText; readonly confidence: number; readonly expiresAt: string | null; readonly changedAt: string };
export type Ranked<C extends Candidate> = { readonly entry: C; readonly similarity: number; readonly recency: number; readonly score: number };

/** By how far away it was written; what comes from the future of a clock that is ahead counts as new. */
export const recencyOf = (changedAt: string, now: Date): number => 0.5 ** (Math.max(0, now.getTime() - new Date(changedAt).getTime()) / HALF_LIFE_MS);

/** By embeddings when both sides have one of the same length, else by their words. A question that says nothing finds everything alike. */
const comparing = ({ text, embedding }: Question): ((kept: KeptText) => number) => {
  const byWords = text === undefined ? undefined : similarityTo(text);
  return (kept) => (embedding && kept.embedding ? cosine(embedding, kept.embedding) : undefined) ?? byWords?.([kept.content, ...kept.tags].join(' ')) ?? (embedding ? 0 : 1);
};

/** What a reader may see and is still true at this moment, by similarity × confidence × recency; what has nothing in common stays out. */
export const rank = <C extends Candidate>(candidates: readonly C[], reader: Reader, question: Question, now: Date, limit: number): readonly Ranked<C>[] => {
  const compare = comparing(question);
  return candidates
    .filter((entry) => isInScope(entry, reader) && !isExpired(entry, now))
    .map((entry): Ranked<C> => {
      const similarity = compare(entry.text);
      const recency = recencyOf(entry.changedAt, now);
      return { entry, similarity, recency, score: similarity * entry.confidence * recency };
    })
    .filter(({ similarity }) => similarity > 0)
    .toSorted((a, b) => b.score - a.score || (a.entry.id < b.entry.id ? 1 : -1))
    .slice(0, limit);
};
