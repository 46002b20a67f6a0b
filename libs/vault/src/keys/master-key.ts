import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import { decrypt, encrypt, KEY_BYTES, keyObject } from './aead';

const FORMS = [
  { text: /^[0-9a-f]{64}$/i, encoding: 'hex' },
  { text: /^[A-Za-z0-9+/]{43}=?$/, encoding: 'base64' },
  { text: /^[A-Za-z0-9_-]{43}=?$/, encoding: 'base64url' },
] as const;

/** Wraps the keys of all subjects; the only secret that is not in the database. Never printed: it has no text form beside `export`. */
export class MasterKey {
  readonly #key: Buffer;
  readonly #object: KeyObject;

  private constructor(key: Buffer) {
    this.#key = key;
    this.#object = keyObject(key);
  }

  /** 32 bytes as 64 hexadecimal digits or as base64, with either alphabet; undefined for any other text. */
  static of(text: string): MasterKey | undefined {
    const form = FORMS.find((each) => each.text.test(text));
    const key = form && Buffer.from(text, form.encoding);
    return key?.length === KEY_BYTES ? new MasterKey(key) : undefined;
  }

  static generate = (): MasterKey => new MasterKey(randomBytes(KEY_BYTES));

  /** For the file that keeps a generated key. */
  export = (): string => this.#key.toString('base64');

  wrap = (dataKey: Buffer, subject: string): Buffer => encrypt(this.#object, dataKey, subject);

  unwrap = (wrapped: Buffer, subject: string): Buffer => decrypt(this.#object, wrapped, subject);

  /** Tells two keys apart without telling either. */
  get checkValue(): Buffer {
    return createHmac('sha256', this.#key).update('agent-harness: which master key is this').digest();
  }

  isOf = (checkValue: Buffer): boolean => checkValue.length === KEY_BYTES && timingSafeEqual(checkValue, this.checkValue);
}
