import type { Transaction } from '@app/event-store';
import { MasterKey } from '../keys/master-key';
import { Vault } from '../vault';

const noDatabase: Transaction = { query: () => Promise.reject(new Error('A vault in memory has no secrets of a site')) };

/** Seals and opens as the real one does; its keys are gone with it. */
export class MemoryVault extends Vault {
  readonly keys = new Map<string, Buffer>();

  constructor() {
    super(noDatabase, MasterKey.generate());
  }

  override destroy(subject: string): Promise<void> {
    this.keys.delete(subject);
    return Promise.resolve();
  }

  override destroyBelow(prefixes: readonly string[]): Promise<number> {
    const gone = [...this.keys.keys()].filter((subject) => prefixes.some((prefix) => subject.startsWith(prefix)));
    for (const subject of gone) this.keys.delete(subject);
    return Promise.resolve(gone.length);
  }

  protected override existingOf(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
    return Promise.resolve(new Map(subjects.flatMap((subject) => (this.keys.has(subject) ? [[subject, this.keys.get(subject)!] as const] : []))));
  }

  protected override add(subject: string, _siteId: string, key: Buffer): Promise<boolean> {
    if (this.keys.has(subject)) return Promise.resolve(false);
    this.keys.set(subject, key);
    return Promise.resolve(true);
  }
}
