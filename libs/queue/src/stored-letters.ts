import { reject } from '@app/kernel';
import type { DeadLetters, LetterDone } from './dead-letter';
import type { JobStore } from './job-store';

const MOST = 1_000;

export const storedLetters = (store: JobStore, requeued: () => void): DeadLetters => ({
  list: ({ limit = 100, skip = 0 } = {}) => store.letters(Math.min(Math.max(limit, 1), MOST), Math.max(skip, 0)),
  find: (id) => store.letter(id),
  requeue: async (id) => {
    const letter = await store.letter(id);
    const done = letter !== null && (await store.requeue(letter));
    if (done) requeued();
    return answerOf(id, done);
  },
  discard: async (id) => answerOf(id, await store.discard(id)),
});

const answerOf = (id: string, done: boolean): LetterDone =>
  done ? { ok: true } : reject('missing', 'NOT_FOUND', 'There is no such dead letter: it was requeued, discarded, or never there.', { id });
