const LOOPBACK = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Whether keys may come from there: over TLS, or from this very machine. Whoever can change them on the way can be anybody. */
export const isTrustworthy = (address: string): boolean => {
  const url = URL.parse(address);
  if (!url || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
};

/** An issuer has neither a query nor a fragment (OpenID Connect Discovery 1.0, 3). */
export const isIssuer = (address: string): boolean => isTrustworthy(address) && !/[?#\s]/.test(address);

/** Where an issuer describes itself (4.1). */
export const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
