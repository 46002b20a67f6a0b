import type { Context } from './decider';

/** How sealed data reads once its key is gone: an object that says so, a word that says so, or an empty list. */
export type SealedKind = 'json' | 'text' | 'list';

/**
 * Which data of an event type is sealed, and under whose key. `fields` are names, or `outer.inner` for one level below; whatever an event has of
 * them is sealed together. Without a subject, an event is stored as it is.
 */
export type SealedPayload = {
  readonly fields: Readonly<Record<string, SealedKind>>;
  readonly subject: (data: Readonly<Record<string, unknown>>, streamId: string, context: Pick<Context, 'runId'>) => string | undefined;
};
/** By event type. */
export type SealedPayloads = Readonly<Record<string, SealedPayload>>;

/** What stands where sealed data was, once its key is gone. */
export const FORGOTTEN = { forgotten: true } as const;
export const FORGOTTEN_TEXT = '[forgotten]';
