import { OutboundError, type OutboundCode } from '@app/outbound';
import { maskSecrets } from '@app/vault';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

/**
 * Stable names of what can go wrong with an upstream server; those of the way out (`UPSTREAM_UNREACHABLE`, `UPSTREAM_TIMEOUT`,
 * `RESPONSE_INVALID`, `ADDRESS_REFUSED` …) mean the same here.
 * `RESPONSE_TOO_LARGE` more bytes than are read · `UPSTREAM_REFUSED` it answered with an error · `UPSTREAM_BUSY` too many calls wait ·
 * `INPUT_REQUESTED` it asks for input, which nobody here gives · `TOOL_FAILED` the tool itself says that it failed · `TOOL_CHANGED` it is not
 * what was reviewed · `TOOL_GONE` the server has no such tool · `STDIO_OFF` programs may not be run · `SECRET_UNAVAILABLE` a named secret is
 * not set · `SERVER_UNKNOWN` nobody has imported the server.
 */
export type UpstreamCode =
  | OutboundCode | 'RESPONSE_TOO_LARGE' | 'UPSTREAM_REFUSED' | 'UPSTREAM_BUSY' | 'INPUT_REQUESTED' | 'TOOL_FAILED' | 'TOOL_CHANGED' | 'TOOL_GONE'
  | 'STDIO_OFF' | 'SECRET_UNAVAILABLE' | 'SERVER_UNKNOWN';

/** The message begins with the code, so that it survives in the record of a call. */
export class UpstreamError extends Error {
  constructor(
    readonly code: UpstreamCode,
    readonly sentence: string,
  ) {
    super(`${code}: ${sentence}`);
  }
}

/** What reading JSON, and reading a message from it, throws. */
const UNREADABLE = ['SyntaxError', 'ZodError', '$ZodError'];
const BROKEN: readonly SdkErrorCode[] = [SdkErrorCode.InvalidResult, SdkErrorCode.ClientHttpUnexpectedContent];

/** What a failure of the client library means. `noted` is the last thing its transport complained about. */
export const upstreamError = (error: unknown, server: string, noted?: string): UpstreamError => {
  if (error instanceof UpstreamError) return error;
  const outbound = causesOf(error).find((cause) => cause instanceof OutboundError);
  if (outbound) return new UpstreamError(outbound.code, outbound.message);
  if (noted !== undefined && /exceeded maximum size/.test(noted)) return new UpstreamError('RESPONSE_TOO_LARGE', `${server} sent a message that is larger than is read.`);
  if (error instanceof SdkHttpError) return new UpstreamError('UPSTREAM_REFUSED', `${server} answered with HTTP status ${error.status}.`);
  if (error instanceof ProtocolError) return new UpstreamError('UPSTREAM_REFUSED', `${server} answered with error ${error.code}: ${beginning(error.message, 500)}`);
  if (UNREADABLE.includes((error as { name?: string } | null)?.name ?? '')) return new UpstreamError('RESPONSE_INVALID', `${server} answered with what is no message of the protocol.`);
  if (!(error instanceof SdkError)) return new UpstreamError('UPSTREAM_UNREACHABLE', unreachable(server, noted));
  if (error.code === SdkErrorCode.RequestTimeout) return new UpstreamError('UPSTREAM_TIMEOUT', `${server} did not answer in time.`);
  if (error.code === SdkErrorCode.UnsupportedResultType) return new UpstreamError('INPUT_REQUESTED', `${server} asks for input in the middle of a call; that is not given.`);
  if (BROKEN.includes(error.code)) return new UpstreamError('RESPONSE_INVALID', `${server} answered with what the protocol does not allow.`);
  return new UpstreamError('UPSTREAM_UNREACHABLE', unreachable(server, noted));
};

const unreachable = (server: string, noted: string | undefined) => `${server} cannot be reached${noted === undefined || noted === '' ? '' : `: ${beginning(noted, 300)}`}.`;

/** Without what gives itself away as a secret, which half of one would not. */
const beginning = (text: string, length: number): string => maskSecrets(text).masked.slice(0, length);

/** An error and what caused it, however often it was wrapped. */
const causesOf = (error: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let at = error; at !== undefined && at !== null && causes.length < 8; at = (at as { cause?: unknown }).cause) causes.push(at);
  return causes;
};
