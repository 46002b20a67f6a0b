import type { Vault } from '@app/vault';

/** The subject under whose key the addresses of a person are sealed. */
const subjectOf = (siteId: string, personId: string) => `notify:${siteId}:${personId}`;

export type Sealing = Pick<Vault, 'seal' | 'open'>;

export const sealAddress = (vault: Sealing, siteId: string, personId: string, address: unknown): Promise<string> => vault.seal(subjectOf(siteId, personId), siteId, address);

/** Null when the person's key was destroyed. */
export const openAddress = async <T>(vault: Sealing, siteId: string, personId: string, sealed: string): Promise<T | null> => {
  const opened = await vault.open(subjectOf(siteId, personId), sealed);
  return opened.ok ? (opened.value as T) : null;
};
