/** Printable ASCII without a leading or trailing space: text that cannot start a new header or log line, nor recolour a terminal. */
const PRINTABLE = /^[!-~](?:[ -~]*[!-~])?$/;
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export type HeaderValue = string | readonly string[] | undefined;

export const isPrintable = (text: string, maxLength: number): boolean => text.length <= maxLength && PRINTABLE.test(text);

/** A request or correlation id that a client chose, or undefined when it is not fit to be repeated in headers and logs. */
export const wellFormedId = (value: HeaderValue): string | undefined =>
  typeof value === 'string' && isPrintable(value, 128) ? value : undefined;

/** A W3C trace context of version 00, or undefined: the standard says to ignore a broken one. */
export const wellFormedTraceparent = (value: HeaderValue): string | undefined =>
  typeof value === 'string' && TRACEPARENT.test(value) ? value : undefined;
