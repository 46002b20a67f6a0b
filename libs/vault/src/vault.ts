import { hkdfSync, randomBytes } from 'node:crypto';
import { canonicalJson, type Transaction } from '@app/event-store';
import { decrypt, encrypt, KEY_BYTES } from './keys/aead';
import { MasterKey } from './keys/master-key';
import { VaultPayloads } from './payloads/vault-payloads';
import { secretNameIn, type SecretsChange } from './secret-name.schema';
import { SecretResolver, SecretUnavailable } from './secret-resolver';

/** `gone`: the key was destroyed, so nobody can ever open it again. */
export type Opened = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: 'gone' };

/** The database was sealed under another master key: `message` is for the operator. */
export class OtherMasterKey extends Error {}

const FORM = 'v1.';
const ofSite = (siteId: string) => `site:${siteId}`;

/**
 * Envelope encryption. Every subject has a random key of its own, kept wrapped by the master key; values are sealed under it. To destroy a
 * subject's key is to destroy whatever was sealed under it, in every copy and every backup of the log. Secrets of a site are written and
 * never read back, except by `resolve`.
 */
export class Vault extends SecretResolver {
  private readonly peppers = new Map<string, Promise<Buffer>>();

  constructor(
    private readonly db: Transaction,
    private readonly master: MasterKey,
  ) {
    super();
  }

  /** Claims a new database for this master key; rejects with `OtherMasterKey` when it belongs to another one. */
  async start(): Promise<void> {
    await this.db.query('INSERT INTO vault_master (check_value) VALUES ($1) ON CONFLICT DO NOTHING', [this.master.checkValue]);
    const { rows } = await this.db.query<{ check_value: Buffer }>('SELECT check_value FROM vault_master');
    if (rows[0] && this.master.isOf(rows[0].check_value)) return;
    throw new OtherMasterKey(
      'This database was sealed with another master key. Give every process the same HARNESS_MASTER_KEY: the one in the environment of the process that was first, or in the file vault/master-key of its data directory.',
    );
  }

  /** The value as canonical JSON under the key of its subject, which is made when it is missing. */
  async seal(subject: string, siteId: string, value: unknown): Promise<string> {
    const key = await this.keyOf(subject, siteId);
    return FORM + encrypt(key, Buffer.from(canonicalJson(value)), subject).toString('base64url');
  }

  /** Throws for a text that was not sealed here or not for this subject. */
  async open(subject: string, sealed: string): Promise<Opened> {
    const key = await this.existing(subject);
    if (!key) return { ok: false, reason: 'gone' };
    return { ok: true, value: JSON.parse(unseal(key, sealed, subject)) as unknown };
  }

  /** Many at once, in the order they were given, with one look for their keys. Throws like `open`. */
  async openMany(sealed: readonly { readonly subject: string; readonly sealed: string }[]): Promise<readonly Opened[]> {
    if (sealed.length === 0) return [];
    const keys = await this.existingOf([...new Set(sealed.map(({ subject }) => subject))]);
    return sealed.map(({ subject, sealed: text }): Opened => {
      const key = keys.get(subject);
      return key ? { ok: true, value: JSON.parse(unseal(key, text, subject)) as unknown } : { ok: false, reason: 'gone' };
    });
  }

  /** For what events hold; with connections of its own, because whoever reads the log may hold one of the others meanwhile. */
  payloadsOn = (db: Transaction): VaultPayloads => new VaultPayloads(db, this.master);

  /** True when there is a key for any subject whose name begins like this. */
  async holdsBelow(prefix: string): Promise<boolean> {
    const [low, high] = rangeOf(prefix);
    return (await this.db.query('SELECT 1 FROM vault_key WHERE subject >= $1 AND subject < $2 LIMIT 1', [low, high])).rowCount === 1;
  }

  /** For all subjects whose names begin like one of these; gives how many keys there were. In the transaction of the caller, when one is given. */
  async destroyBelow(prefixes: readonly string[], tx: Transaction = this.db): Promise<number> {
    if (prefixes.length === 0) return 0;
    const ranges = prefixes.map(rangeOf);
    const { rowCount } = await tx.query('DELETE FROM vault_key USING unnest($1::text[], $2::text[]) AS gone (low, high) WHERE subject >= low AND subject < high', [
      ranges.map(([low]) => low), ranges.map(([, high]) => high),
    ]);
    return rowCount ?? 0;
  }

  async destroy(subject: string): Promise<void> {
    await this.db.query('DELETE FROM vault_key WHERE subject = $1', [subject]);
  }

  /** A secret of the site that makes hashes of guessable values useless to whoever reads the log. The same for ever. */
  pepper(siteId: string): Promise<Buffer> {
    const known = this.peppers.get(siteId);
    if (known) return known;
    const made = this.keyOf(ofSite(siteId), siteId).then((key) => Buffer.from(hkdfSync('sha256', key, '', 'pepper', KEY_BYTES)));
    this.peppers.set(siteId, made);
    made.catch(() => this.peppers.delete(siteId));
    return made;
  }

  /** Sets and removes secrets of a site, all or nothing. */
  async putSecrets(siteId: string, change: SecretsChange): Promise<void> {
    const subject = ofSite(siteId);
    const key = await this.keyOf(subject, siteId);
    const names = Object.keys(change);
    const sealed = names.map((name) => {
      const value = change[name];
      return typeof value === 'string' ? FORM + encrypt(key, Buffer.from(JSON.stringify(value)), aboutSecret(subject, name)).toString('base64url') : null;
    });
    await this.db.query(
      `WITH given AS (SELECT * FROM unnest($2::text[], $3::text[]) AS g (name, sealed)),
            removed AS (DELETE FROM vault_secret USING given WHERE site_id = $1 AND vault_secret.name = given.name AND given.sealed IS NULL)
       INSERT INTO vault_secret (site_id, name, sealed) SELECT $1, name, sealed FROM given WHERE sealed IS NOT NULL
       ON CONFLICT (site_id, name) DO UPDATE SET sealed = excluded.sealed, updated_at = clock_timestamp()`,
      [siteId, names, sealed],
    );
  }

  async names(siteId: string): Promise<readonly string[]> {
    const { rows } = await this.db.query<{ name: string }>('SELECT name FROM vault_secret WHERE site_id = $1 ORDER BY name', [siteId]);
    return rows.map(({ name }) => name);
  }

  override async resolve(siteId: string, reference: string): Promise<string> {
    const name = secretNameIn(reference);
    if (name === undefined) throw new SecretUnavailable('A secret is named like secret://name, with letters, digits and _ . - in the name.');
    const { rows } = await this.db.query<{ sealed: string }>('SELECT sealed FROM vault_secret WHERE site_id = $1 AND name = $2', [siteId, name]);
    if (!rows[0]) throw new SecretUnavailable(`The secret ${name} is not set on this site; an admin sets it with PUT /api/v1/settings.`);
    const subject = ofSite(siteId);
    return JSON.parse(unseal(await this.keyOf(subject, siteId), rows[0].sealed, aboutSecret(subject, name))) as string;
  }

  private existing = async (subject: string): Promise<Buffer | undefined> => (await this.existingOf([subject])).get(subject);

  protected async existingOf(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    const { rows } = await this.db.query<{ subject: string; wrapped: Buffer }>('SELECT subject, wrapped FROM vault_key WHERE subject = ANY ($1)', [subjects]);
    return new Map(rows.map(({ subject, wrapped }) => [subject, this.master.unwrap(wrapped, subject)]));
  }

  /** Two processes that come first at once get the key of the one that was faster. */
  private async keyOf(subject: string, siteId: string): Promise<Buffer> {
    for (;;) {
      const known = await this.existing(subject);
      if (known) return known;
      const key = randomBytes(KEY_BYTES);
      if (await this.add(subject, siteId, key)) return key;
    }
  }

  /** False when there is one already. */
  protected async add(subject: string, siteId: string, key: Buffer): Promise<boolean> {
    const wrapped = this.master.wrap(key, subject);
    return (await this.db.query('INSERT INTO vault_key (subject, site_id, wrapped) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [subject, siteId, wrapped])).rowCount === 1;
  }
}

/** From the prefix up to what comes after everything that begins with it. */
const rangeOf = (prefix: string) => [prefix, prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)] as const;

const aboutSecret = (subject: string, name: string) => `${subject}/${name}`;

const unseal = (key: Buffer, sealed: string, about: string): string => {
  if (!sealed.startsWith(FORM)) throw new Error('This text was not sealed by a vault of this version.');
  return decrypt(key, Buffer.from(sealed.slice(FORM.length), 'base64url'), about).toString('utf8');
};
