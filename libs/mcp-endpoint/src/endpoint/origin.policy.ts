const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

const hostnameOf = (authority: string): string | undefined => /^(\[[0-9a-f:.]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/i.exec(authority)?.[1];

/**
 * Why a page in a browser may not ask; undefined for all other clients, which send no `Origin`. Only pages of this very host may, and where the connection
 * came over loopback the host must have a loopback name: any other has been made to point here by somebody else (DNS rebinding).
 */
export const originRefusal = (origin: string | undefined, host: string | undefined, localAddress: string | undefined): string | undefined => {
  const named = host === undefined ? undefined : hostnameOf(host);
  if (origin === undefined) return undefined;
  const from = /^https?:\/\/(.+)$/i.exec(origin)?.[1];
  if (named === undefined || from === undefined || hostnameOf(from)?.toLowerCase() !== named.toLowerCase()) return 'Pages of other origins may not ask.';
  const isLocal = localAddress !== undefined && /^(::ffff:)?127\.|^::1$/.test(localAddress);
  return isLocal && !LOOPBACK.test(named) ? 'This host is reached under a name that is not its own.' : undefined;
};
