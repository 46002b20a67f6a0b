import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyIdOf, signedText, type Checkpoint, type CheckpointBody } from './checkpoint';

const PRIVATE_KEY_FILE = 'checkpoint-key.pem';
const PUBLIC_KEY_FILE = 'checkpoint-key.pub.pem';

/** The Ed25519 key pair that signs checkpoints. Give the public key to whoever shall verify without trusting this server. */
export class SigningKey {
  readonly publicKeyPem: string;
  readonly id: string;

  private constructor(private readonly privateKey: KeyObject) {
    const publicKey = createPublicKey(privateKey);
    this.publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    this.id = keyIdOf(publicKey);
  }

  /**
   * The key of a data directory, made at first use: `checkpoint-key.pem` (PKCS8, mode 0600) and beside it `checkpoint-key.pub.pem`.
   * When two processes come first at once, both get the key of the one that was faster.
   */
  static async of(directory: string): Promise<SigningKey> {
    await mkdir(directory, { recursive: true });
    const file = join(directory, PRIVATE_KEY_FILE);
    const pem = (await existing(file)) ?? (await create(file));
    const key = new SigningKey(createPrivateKey(pem));
    await writeFile(join(directory, PUBLIC_KEY_FILE), key.publicKeyPem);
    return key;
  }

  sign(body: CheckpointBody): Checkpoint {
    return { ...body, keyId: this.id, signature: sign(null, signedText(body), this.privateKey).toString('base64') };
  }
}

const existing = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** A whole file under another name, then a link: nobody ever reads half a key, and the second of two cannot replace the first. */
const create = async (file: string): Promise<string> => {
  const { privateKey } = generateKeyPairSync('ed25519', { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, privateKey, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
    return privateKey;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(file, 'utf8');
  } finally {
    await unlink(draft);
  }
};
