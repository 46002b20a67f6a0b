import { maskSecrets } from '@app/vault/contract';
import type { ToolDefinition } from './tool.schema';

type Target = NonNullable<ToolDefinition['http']>;
type Problem = { readonly pointer: string; readonly detail: string };

/** Set by this server for every call; a tool that could write them could pretend to be another call. */
const OWN = /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-type|accept-encoding|expect|idempotency-key|proxy-.*|x-harness-.*)$/i;
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BY_NAME = 'Must not hold a secret itself: set it with PUT /api/v1/settings and name it here as secret://name';

/**
 * What is wrong with where an http tool or a deploy hook is said to live. That is in the log for ever and is shown, so secrets are in it by name only.
 * `below` is where it stands in what was sent.
 */
export const targetProblems = ({ url, headers = {}, auth }: Target, below = '/http'): readonly Problem[] => [
  ...urlProblems(url, `${below}/url`),
  ...Object.entries(headers).flatMap(([name, value]) => {
    const detail = headerProblem(name, value, auth !== undefined);
    return detail === undefined ? [] : [{ pointer: `${below}/headers/${name}`, detail }];
  }),
];

/** The same for an address alone. */
export const urlProblems = (url: string, pointer: string): readonly Problem[] => {
  if (/^https?:\/\/[^/?#]*@/i.test(url)) return [{ pointer, detail: 'Must not carry a user name or a password; set a secret with PUT /api/v1/settings and name it as secret://name' }];
  if (/^https?:\/\/[^/?#]*secret:/i.test(url)) return [{ pointer, detail: 'A secret may be part of the path or of the query, but not of the host' }];
  return maskSecrets(url).changed ? [{ pointer, detail: BY_NAME }] : [];
};

const headerProblem = (name: string, value: string, hasAuth: boolean): string | undefined => {
  if (OWN.test(name)) return 'This header is set by the server for every call';
  if (!SENDABLE.test(value)) return 'Holds characters that HTTP does not allow in a header';
  if (hasAuth && name.toLowerCase() === 'authorization') return 'The Authorization header is made from auth already; give one of the two';
  const isNamed = /secret:\/\/[A-Za-z0-9_.-]{1,64}/.test(value);
  return !isNamed && maskSecrets({ [name]: value }).changed ? BY_NAME : undefined;
};
