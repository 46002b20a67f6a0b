import type { ResolvedAddress } from './resolver';

type Found = (error: Error | null, address: string | { address: string; family: number }[], family?: number) => void;

/** In place of a name service: a connection goes to these addresses and to no other, whatever the name has meanwhile. */
export const pinnedTo = (addresses: readonly ResolvedAddress[]) => (_host: string, options: { readonly all?: boolean | undefined }, found: Found) => {
  if (options.all) found(null, [...addresses]);
  else found(null, addresses[0]!.address, addresses[0]!.family);
};
