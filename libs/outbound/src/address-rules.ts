import ipaddr from 'ipaddr.js';

/** Where clouds tell a machine its credentials. One of them has a public address, so ranges alone do not find it. */
const METADATA = ['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'].map((text) => ipaddr.process(text).toNormalizedString());

const WORDS: Readonly<Record<string, string>> = {
  private: 'private', uniqueLocal: 'private', loopback: 'loopback', linkLocal: 'link-local', carrierGradeNat: 'carrier-grade NAT', multicast: 'multicast', unspecified: 'unspecified', broadcast: 'broadcast',
};

/** At which byte of an IPv6 address the IPv4 address stands that it leads to. Teredo hides both ends behind a relay and is refused as it is. */
const EMBEDDED: Readonly<Record<string, number>> = { ipv4Mapped: 12, rfc6145: 12, rfc6052: 12, '6to4': 2 };
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

export type AddressRange = string;

/** Why nobody outside should be reached at this address: the name of its range. Undefined for a public address. A text that is no address is `invalid`. */
export const refusedRange = (text: string): AddressRange | undefined => {
  if (!ipaddr.isValid(text)) return 'invalid';
  const address = ipaddr.parse(text);
  if (METADATA.includes(address.toNormalizedString())) return 'metadata';
  const range = address.range();
  if (address instanceof ipaddr.IPv6) {
    const from = EMBEDDED[range];
    if (from !== undefined) return address.match(LOCAL_NAT64) ? 'reserved' : refusedRange(new ipaddr.IPv4(address.toByteArray().slice(from, from + 4)).toString());
    if (range === 'unicast') return address.match(GLOBAL_UNICAST) ? undefined : 'reserved';
  }
  return range === 'unicast' ? undefined : (WORDS[range] ?? 'reserved');
};

/** Whether a host of a URL is an address already, so that there is no name to resolve. Gives it without the brackets of IPv6. */
export const addressOfHost = (hostname: string): string | undefined => {
  const bare = hostname.startsWith('[') && hostname.endsWith(']') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
};
