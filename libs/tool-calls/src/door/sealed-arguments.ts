import { randomBytes } from 'node:crypto';
import type { Vault } from '@app/vault';
import { maskSecrets } from '@app/vault/contract';
import { ExactArguments, type Arguments, type CallRef, type Kept } from '../contract';
import { keysOfCall } from './destroyed-keys.process';

/** Between the name of the key and the sealed text; in neither. */
const BETWEEN = '~';

/**
 * Exact arguments are sealed beside the masked ones in the log, under a key of their own. Every attempt to ask has another key, so that a
 * repeat that comes to nothing throws its own away and no other's.
 */
export class SealedArguments extends ExactArguments {
  constructor(private readonly vault: Vault) {
    super();
  }

  override async keep({ siteId, runId, callId }: CallRef, given: Arguments, mayRun = true): Promise<Kept | undefined> {
    if (!maskSecrets(given).changed) return undefined;
    const pepper = await this.pepper(siteId);
    if (!mayRun) return { pepper };
    const nonce = randomBytes(8).toString('hex');
    return { pepper, sealed: `${nonce}${BETWEEN}${await this.vault.seal(keysOfCall(runId, callId) + nonce, siteId, given)}` };
  }

  override async recall({ siteId, runId, callId }: CallRef, sealed: string): Promise<(Kept & { readonly given: Arguments }) | undefined> {
    const { subject, box } = partsOf(runId, callId, sealed);
    const opened = await this.vault.open(subject, box);
    return opened.ok ? { pepper: await this.pepper(siteId), sealed, given: opened.value as Arguments } : undefined;
  }

  override async forget({ runId, callId }: CallRef, { sealed }: Kept): Promise<void> {
    if (sealed !== undefined) await this.vault.destroy(partsOf(runId, callId, sealed).subject);
  }

  private pepper = async (siteId: string) => (await this.vault.pepper(siteId)).toString('base64');
}

const partsOf = (runId: string, callId: string, sealed: string) => {
  const at = sealed.indexOf(BETWEEN);
  return { subject: keysOfCall(runId, callId) + sealed.slice(0, at), box: sealed.slice(at + 1) };
};
