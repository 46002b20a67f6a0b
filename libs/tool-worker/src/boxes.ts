import { keysOfCall } from '@app/tool-calls/contract';
import type { Vault } from '@app/vault';
import { maskSecrets } from '@app/vault/contract';
import type { CallKey } from './worker-call-table';

const PLAIN = 'json:';
const SEALED = 'sealed:';

/** What a call carries, as text for the table. Secrets are sealed under a key of the call, which is destroyed with the call's outcome. */
export class Boxes {
  constructor(private readonly vault: Pick<Vault, 'seal' | 'open'>) {}

  static isSealed = (box: string): boolean => box.startsWith(SEALED);

  async close(key: CallKey, siteId: string, value: unknown): Promise<string> {
    return maskSecrets(value).changed ? SEALED + (await this.vault.seal(subjectOf(key), siteId, value)) : PLAIN + JSON.stringify(value ?? null);
  }

  /** `gone`: the call was settled or its run has ended, and the key with it. */
  async open(key: CallKey, box: string): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: 'gone' }> {
    return box.startsWith(PLAIN) ? { ok: true, value: JSON.parse(box.slice(PLAIN.length)) as unknown } : this.vault.open(subjectOf(key), box.slice(SEALED.length));
  }
}

const subjectOf = ({ runId, callId }: CallKey) => `${keysOfCall(runId, callId)}worker`;
