import type { IncomingHttpHeaders } from 'node:http';

const MAX_KEY = 8_192;

/** The key of a request, or undefined when there is none or two different ones: a proxy and we must never disagree on who is asking. */
export const credentialOf = (headers: IncomingHttpHeaders): string | undefined => {
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  const apiKey = headers['x-api-key'];
  const keys = new Set([bearer, apiKey].filter((key) => key !== undefined));
  const [key] = keys;
  return keys.size === 1 && typeof key === 'string' && key !== '' && key.length <= MAX_KEY ? key : undefined;
};
