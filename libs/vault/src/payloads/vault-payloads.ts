import { randomBytes, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { SubjectPayloads, type SealedText, type Transaction } from '@app/event-store';
import { decrypt, encrypt, KEY_BYTES, keyObject } from '../keys/aead';
import type { MasterKey } from '../keys/master-key';

type Subject = { readonly subject: string; readonly siteId: string };
type Row = { readonly subject: string; readonly wrapped: Buffer };

const FORM = 'v1.';
/** Of runs under way; a key weighs some 200 bytes here. */
const KEYS_AT_HAND = 20_000;
/** What this process has just sealed it reads in a moment: as text it takes 1 instead of 43 µs. */
const TEXTS_AT_HAND = 8 * 1024 * 1024;

/**
 * What events hold of people's words and tools' answers, under a key per subject. Keys for sealing are kept at hand, so that a run asks for its
 * key once; for opening they are asked for each time, with one statement a page. A key at hand that was destroyed elsewhere seals what nobody
 * can read: that is as it should be.
 */
export class VaultPayloads extends SubjectPayloads {
  private readonly atHand = new LRUCache<string, KeyObject>({ max: KEYS_AT_HAND });
  private readonly texts = new LRUCache<string, string>({ maxSize: TEXTS_AT_HAND, sizeCalculation: (text, sealed) => 2 * (text.length + sealed.length) });

  constructor(
    private readonly db: Transaction,
    private readonly master: Pick<MasterKey, 'wrap' | 'unwrap'>,
  ) {
    super();
  }

  override ready(subjects: readonly Subject[]): Promise<void> | undefined {
    const missing = subjects.filter(({ subject }) => this.atHand.get(subject) === undefined);
    return missing.length === 0 ? undefined : this.fetch(missing);
  }

  override seal(subject: string, text: string): string {
    const key = this.atHand.get(subject);
    if (!key) throw new Error(`The key of ${subject} is not at hand.`);
    const sealed = FORM + encrypt(key, Buffer.from(text), subject).toString('base64url');
    this.texts.set(sealed, text);
    return sealed;
  }

  override async open(sealed: readonly SealedText[]): Promise<readonly (string | null)[]> {
    const { rows } = await this.db.query<Row>(
      'SELECT subject, wrapped FROM vault_key WHERE subject = ANY ($1) AND NOT EXISTS (SELECT 1 FROM vault_forgotten f WHERE f.subject = vault_key.subject)',
      [[...new Set(sealed.map(({ subject }) => subject))]],
    );
    const keys = new Map(rows.map(({ subject, wrapped }) => [subject, this.master.unwrap(wrapped, subject)]));
    return sealed.map(({ subject, sealed: text }) => {
      const key = keys.get(subject);
      if (!key) return null;
      const known = this.texts.get(text);
      if (known !== undefined) return known;
      if (!text.startsWith(FORM)) throw new Error('This text was not sealed by a vault of this version.');
      return decrypt(key, Buffer.from(text.slice(FORM.length), 'base64url'), subject).toString('utf8');
    });
  }

  /** Destroys the keys for ever: these subjects get no others. How many there were. */
  async forget(subjects: readonly string[], tx: Transaction = this.db): Promise<number> {
    for (const subject of subjects) this.atHand.delete(subject);
    this.texts.clear();
    const { rowCount } = await tx.query(
      `WITH told AS (INSERT INTO vault_forgotten (subject) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING) DELETE FROM vault_key WHERE subject = ANY ($1)`,
      [subjects],
    );
    return rowCount ?? 0;
  }

  /** Two processes that come first at once take the key of the one that was faster. What is forgotten gets a key that is kept nowhere. */
  private async fetch(subjects: readonly Subject[]): Promise<void> {
    const names = subjects.map(({ subject }) => subject);
    const offered = subjects.map(({ subject }) => this.master.wrap(randomBytes(KEY_BYTES), subject));
    const made = await this.db.query<Row>(
      `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[]) AS w (subject, site_id, wrapped)),
            made AS (INSERT INTO vault_key (subject, site_id, wrapped) SELECT * FROM wanted WHERE NOT EXISTS (SELECT 1 FROM vault_forgotten f WHERE f.subject = wanted.subject)
                     ON CONFLICT DO NOTHING RETURNING subject, wrapped)
       SELECT subject, wrapped FROM made UNION ALL SELECT subject, wrapped FROM vault_key WHERE subject = ANY ($1)`,
      [names, subjects.map(({ siteId }) => siteId), offered],
    );
    this.take(made.rows);
    const rest = names.filter((subject) => !this.atHand.has(subject));
    if (rest.length === 0) return;
    // Made by another process since this statement began, or forgotten.
    this.take((await this.db.query<Row>('SELECT subject, wrapped FROM vault_key WHERE subject = ANY ($1)', [rest])).rows);
    for (const subject of rest) if (!this.atHand.has(subject)) this.atHand.set(subject, keyObject(randomBytes(KEY_BYTES)));
  }

  private take(rows: readonly Row[]) {
    for (const { subject, wrapped } of rows) this.atHand.set(subject, keyObject(this.master.unwrap(wrapped, subject)));
  }
}
