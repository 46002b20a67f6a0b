import { lookup } from 'node:dns/promises';

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 };

/** Names to addresses. Asked once for each name of a call; what it answers is checked and is what gets connected. */
export abstract class Resolver {
  /** Rejects when the name has no address. */
  abstract resolve(host: string): Promise<readonly ResolvedAddress[]>;
}

/** As every other program of this machine resolves names, `/etc/hosts` included. */
export class SystemResolver extends Resolver {
  override resolve = async (host: string): Promise<readonly ResolvedAddress[]> =>
    (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
