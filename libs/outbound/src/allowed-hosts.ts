import { addressOfHost } from './address-rules';

type Entry = { readonly host: string; readonly port: string | undefined; readonly below: boolean };

/**
 * How a list opens the host of a URL: by its `address`, which opens whatever stands there, or by a `name`, which opens private ranges but not the
 * metadata services of clouds: whoever controls the name's records must not be able to lead there.
 * Entries look like `127.0.0.1:9000`, `[::1]:9000`, `db.corp.example` (every port) or `*.corp.example` (every name below it). Others match nothing.
 */
export const openedBy = (allowHosts: readonly string[], url: URL): 'address' | 'name' | undefined => {
  const host = withoutDot(url.hostname);
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const address = addressOfHost(host);
  const opens = ({ host: wanted, port: wantedPort, below }: Entry) =>
    (wantedPort === undefined || wantedPort === port) && (below ? address === undefined && host.endsWith(`.${wanted}`) : host === wanted);
  if (!allowHosts.some((text) => entriesOf(text).some(opens))) return undefined;
  return address === undefined ? 'name' : 'address';
};

const entriesOf = (text: string): Entry[] => {
  const trimmed = text.trim().toLowerCase();
  const below = trimmed.startsWith('*.');
  const rest = below ? trimmed.slice(2) : trimmed;
  if (addressOfHost(rest)?.includes(':') === true && !rest.startsWith('[')) return [{ host: normal(`[${rest}]`), port: undefined, below }];
  const [, host = '', port] = /^(\[[^\]]+\]|[^:/?#@\s]+)(?::(\d{1,5}))?$/.exec(rest) ?? [];
  return host === '' ? [] : [{ host: normal(host), port, below }];
};

/** As a URL would write it: lower case, punycode, an IPv4 address in its one dotted form. */
const normal = (host: string) => {
  const url = `http://${host}/`;
  return URL.canParse(url) ? withoutDot(new URL(url).hostname) : '';
};

const withoutDot = (host: string) => host.replace(/\.$/, '');
