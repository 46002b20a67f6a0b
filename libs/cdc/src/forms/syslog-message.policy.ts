export type SyslogMessage = {
  /** Of CEF, from 0 to 10. */
  readonly severity: number;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly host: string;
  readonly messageId: string;
  readonly text: string;
};

/** "Log audit" (RFC 5424, table 1). */
const FACILITY = 13;
const APP = 'agent-harness';

/**
 * A message of RFC 5424 without structured data: everything that is known stands in the text. The text has no byte order mark, because readers of CEF and JSON look at its first
 * character.
 */
export const syslogMessage = ({ severity, at, host, messageId, text }: SyslogMessage): string =>
  `<${FACILITY * 8 + syslogSeverity(severity)}>1 ${at} ${word(host, 255)} ${APP} - ${word(messageId, 32)} - ${text}`;

/** A frame of RFC 6587 and RFC 5425: the length in bytes comes first, so a text may hold line breaks. */
export const octetCounted = (message: string): string => `${new TextEncoder().encode(message).length} ${message}`;

/** Very high is critical, high an error, medium a warning or a notice, low information. */
const syslogSeverity = (severity: number): number => (severity >= 9 ? 2 : severity >= 7 ? 3 : severity >= 5 ? 4 : severity === 4 ? 5 : 6);

/** A field of the header is of printable ASCII, or a dash. */
const word = (text: string, most: number): string => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, most) || '-';
