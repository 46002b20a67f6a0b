/**
 * Stable names of what can go wrong outside.
 * `ADDRESS_REFUSED` the host, or where a redirect leads, is not one that may be reached · `REDIRECT_REFUSED` too many, or one that leads nowhere
 * safe · `UPSTREAM_UNREACHABLE` no connection, or it broke · `UPSTREAM_TLS` no trust in the certificate · `UPSTREAM_TIMEOUT` no whole answer in
 * time · `RESPONSE_INVALID` an answer that is not HTTP, or not what it says it is · `REQUEST_INVALID` a request that cannot be sent.
 */
export type OutboundCode =
  | 'ADDRESS_REFUSED' | 'REDIRECT_REFUSED' | 'UPSTREAM_UNREACHABLE' | 'UPSTREAM_TLS' | 'UPSTREAM_TIMEOUT' | 'RESPONSE_INVALID' | 'REQUEST_INVALID';

/** The message is a sentence that may be shown to anybody: it names the origin, and never a path, a query, a header or a body. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundCode,
    sentence: string,
  ) {
    super(sentence);
  }
}

const TLS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that this server does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it does not send the certificates that lead to a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it does not send the certificates that lead to a trusted authority',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  CERT_REVOKED: 'its certificate has been revoked',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'broke the connection',
  EPIPE: 'broke the connection',
  UND_ERR_SOCKET: 'closed the connection before its answer was complete',
  UND_ERR_ABORTED: 'closed the connection before its answer was complete',
  UND_ERR_CONNECT_TIMEOUT: 'did not accept a connection in time',
  ETIMEDOUT: 'did not accept a connection in time',
  EHOSTUNREACH: 'cannot be reached from this server',
  ENETUNREACH: 'cannot be reached from this server',
  ENOTFOUND: 'has no address: its name does not resolve',
  EAI_AGAIN: 'has no address now: the name service did not answer',
};

/** What a failure of the network, of TLS or of the HTTP parser means, without anything that was sent. */
export const outboundError = (error: unknown, origin: string): OutboundError => {
  if (error instanceof OutboundError) return error;
  const code = codeOf(error);
  const tls = TLS[code];
  if (tls !== undefined) return new OutboundError('UPSTREAM_TLS', `${origin} cannot be trusted: ${tls}.`);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS')) return new OutboundError('UPSTREAM_TLS', `${origin} does not speak TLS as this server does (${code}).`);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return new OutboundError('RESPONSE_INVALID', `${origin} answered with headers that are larger than this server reads.`);
  if ((error as { name?: unknown } | null)?.name === 'HTTPParserError' || code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' || code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') return new OutboundError('RESPONSE_INVALID', `${origin} answered with what is not HTTP.`);
  // zlib names its errors Z_DATA_ERROR, brotli ERR__ERROR_FORMAT_PADDING_2.
  if (/^(Z_|ERR__)/.test(code)) return new OutboundError('RESPONSE_INVALID', `${origin} answered with a body that cannot be decompressed.`);
  if (code === 'UND_ERR_INVALID_ARG') return new OutboundError('REQUEST_INVALID', `A request to ${origin} cannot be sent: a header has a value that HTTP does not allow.`);
  return new OutboundError('UPSTREAM_UNREACHABLE', `${origin} ${NETWORK[code] ?? 'cannot be reached'}${code === '' || code in NETWORK ? '' : ` (${code})`}.`);
};

/** With several addresses Node tries each and reports them all. */
const codeOf = (error: unknown): string => {
  const { code, errors, cause } = (error ?? {}) as { code?: unknown; errors?: readonly unknown[]; cause?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return codeOf(errors[0]);
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
};
