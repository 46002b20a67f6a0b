import type { ToolDefinition } from '@app/governance/contract';
import { maskSecrets } from '@app/vault/contract';

type Target = NonNullable<ToolDefinition['http']>;
type Problem = { readonly pointer: string; readonly detail: string };

/** Set by this server for every call; a tool that could write them could pretend to be another call. */
const OWN = /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-type|accept-encoding|expect|idempotency-key|proxy-.*|x-harness-.*)$/i;
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BY_NAME = 'Must not hold a secret itself: set it with PUT /api/v1/settings and name it here as secret://name';

/** What is wrong with where an http tool is said to live. Its registration is in the log for ever and is shown, so secrets are in it by name only. */
export const targetProblems = ({ url, headers = {}, auth }: Target): readonly Problem[] => [
  ...urlProblems(url),
  ...Object.entries(headers).flatMap(([name, value]) => {
    const detail = headerProblem(name, value, auth !== undefined);
    return detail === undefined ? [] : [{ pointer: `/http/headers/${name}`, detail }];
  }),
];

const urlProblems = (url: string): readonly Problem[] => {
  if (/^https?:\/\/[^/?#]*@/i.test(url)) return [{ pointer: '/http/url', detail: 'Must not carry a user name or a password; name a secret in auth or headers' }];
  if (/^https?:\/\/[^/?#]*secret:/i.test(url)) return [{ pointer: '/http/url', detail: 'A secret may be part of the path or of the query, but not of the host' }];
  return maskSecrets(url).changed ? [{ pointer: '/http/url', detail: BY_NAME }] : [];
};

const headerProblem = (name: string, value: string, hasAuth: boolean): string | undefined => {
  if (OWN.test(name)) return 'This header is set by the server for every call';
  if (!SENDABLE.test(value)) return 'Holds characters that HTTP does not allow in a header';
  if (hasAuth && name.toLowerCase() === 'authorization') return 'The Authorization header is made from auth already; give one of the two';
  const isNamed = /secret:\/\/[A-Za-z0-9_.-]{1,64}/.test(value);
  return !isNamed && maskSecrets({ [name]: value }).changed ? BY_NAME : undefined;
};
