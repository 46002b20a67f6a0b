import { SubjectPayloads, type SealedText } from '../sealing/subject-payloads';

/** Seals by turning texts around, and forgets by name: what the log does with keys can be seen without any. */
export class ForgetfulPayloads extends SubjectPayloads {
  readonly made: string[] = [];
  private readonly forgotten = new Set<string>();

  override ready(subjects: readonly { readonly subject: string }[]): Promise<void> | undefined {
    const missing = subjects.filter(({ subject }) => !this.made.includes(subject));
    return missing.length === 0 ? undefined : Promise.resolve().then(() => void this.made.push(...missing.map(({ subject }) => subject)));
  }

  override seal(subject: string, text: string): string {
    if (!this.made.includes(subject)) throw new Error(`${subject} is not ready`);
    return Buffer.from([...text].toReversed().join('')).toString('base64url');
  }

  override open(sealed: readonly SealedText[]): Promise<readonly (string | null)[]> {
    return Promise.resolve(sealed.map(({ subject, sealed: text }) => (this.forgotten.has(subject) ? null : [...Buffer.from(text, 'base64url').toString()].toReversed().join(''))));
  }

  forget(subject: string) {
    this.forgotten.add(subject);
  }
}
