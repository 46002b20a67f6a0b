import { maskSecrets, maskUnder } from '@app/vault/contract';
import type { McpTransport } from './transport.schema';

type Fault = { readonly pointer: string; readonly detail: string };

const REFERENCE = /secret:\/\/[A-Za-z0-9_.-]{1,64}/g;
/** What may stand before a reference in a header that is a secret by its name. */
const SCHEME = /^(?:[A-Za-z]{1,20} )?$/;
const BY_NAME = 'Looks like a credential. Set it as a secret of the site and write secret://name here: what an import is told is kept in the log.';

/** Credentials that were written out instead of named, and names of secrets where nothing resolves them. Empty for a transport that may be kept. */
export const credentialFaults = (transport: McpTransport): readonly Fault[] =>
  transport.type === 'http'
    ? [...textFaults('/transport/url', transport.url), ...urlFaults(transport.url), ...memberFaults('/transport/headers', transport.headers)]
    : [
        ...textFaults('/transport/command', transport.command),
        ...(transport.args ?? []).flatMap((text, n) => textFaults(`/transport/args/${n}`, text)),
        ...memberFaults('/transport/env', transport.env),
      ];

const memberFaults = (pointer: string, members: Readonly<Record<string, string>> = {}): readonly Fault[] =>
  Object.entries(members).flatMap(([name, value]) => {
    const rest = value.replace(REFERENCE, '');
    const isSecret = maskUnder(name, rest) !== rest || maskSecrets(rest).changed;
    return isSecret && !(rest !== value && SCHEME.test(rest)) ? [{ pointer: `${pointer}/${name}`, detail: BY_NAME }] : [];
  });

/** Names are resolved in headers and in the environment, which only the server itself reads; a command line can be read by every program. */
const textFaults = (pointer: string, text: string): readonly Fault[] => [
  ...(text.search(REFERENCE) >= 0 ? [{ pointer, detail: 'Secrets are put into headers and environment variables, nowhere else.' }] : []),
  ...(maskSecrets(text.replace(REFERENCE, '')).changed ? [{ pointer, detail: BY_NAME }] : []),
];

const urlFaults = (text: string): readonly Fault[] => {
  const { username, password, searchParams } = new URL(text);
  const inQuery = [...searchParams].some(([name, value]) => maskUnder(name, value) !== value);
  return username !== '' || password !== '' || inQuery ? [{ pointer: '/transport/url', detail: 'Credentials in a URL end up in logs. Send them in a header, by name: secret://name.' }] : [];
};
