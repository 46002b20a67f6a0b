export type SealedText = { readonly subject: string; readonly sealed: string };

/** Seals texts under keys of subjects. To destroy a subject's key is to make all of its texts unreadable, wherever copies of them are. */
export abstract class SubjectPayloads {
  /** Puts the keys of these subjects at hand, and makes those that are missing; nothing to wait for when they all are. A forgotten subject gets a key that nobody keeps. */
  abstract ready(subjects: readonly { readonly subject: string; readonly siteId: string }[]): Promise<void> | undefined;
  /** Only for subjects that are ready. */
  abstract seal(subject: string, text: string): string;
  /** In the order given; null where the key is gone. Asks for the keys anew each time: another process may have destroyed them a moment ago. */
  abstract open(sealed: readonly SealedText[]): Promise<readonly (string | null)[]>;
}
