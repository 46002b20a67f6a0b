import type { LoggerService, LogLevel } from '@nestjs/common';
import pino, { type DestinationStream, type Logger as Pino } from 'pino';

export type JsonLog = Pino;

/** Nest's names of the levels, and those in the lines. */
const LEVELS = { fatal: 'fatal', error: 'error', warn: 'warn', log: 'info', debug: 'debug', verbose: 'trace' } as const satisfies Record<LogLevel, string>;

const FLUSH_MS = 100;

/** Lines are gathered for up to 100 ms: one write instead of many. Those from a warning on leave at once, and the rest when the process ends. */
const standardOutput = (): DestinationStream => {
  const stream = pino.destination({ fd: 1, sync: false, minLength: 4_096, periodicFlush: FLUSH_MS });
  return {
    write: (line) => {
      stream.write(line);
      if (/^\{"level":"(warn|error|fatal)"/.test(line)) stream.flush();
    },
  };
};

/** One JSON object per line: level, time in ISO 8601, process, and what the line is about. */
export const jsonLog = (level: LogLevel, destination: DestinationStream = standardOutput()): JsonLog =>
  pino({ level: LEVELS[level], base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } }, destination);

/** Nest's logger, and so every logger of the server, as JSON lines. */
export class JsonLogger implements LoggerService {
  constructor(private readonly lines: JsonLog) {}

  fatal(message: unknown, ...rest: readonly unknown[]): void {
    this.write('fatal', message, rest);
  }
  error(message: unknown, ...rest: readonly unknown[]): void {
    this.write('error', message, rest);
  }
  warn(message: unknown, ...rest: readonly unknown[]): void {
    this.write('warn', message, rest);
  }
  log(message: unknown, ...rest: readonly unknown[]): void {
    this.write('log', message, rest);
  }
  debug(message: unknown, ...rest: readonly unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: readonly unknown[]): void {
    this.write('verbose', message, rest);
  }

  /** Nest gives the name of who speaks as the last argument, and a stack, if there is one, before it. */
  private write(level: LogLevel, message: unknown, rest: readonly unknown[]) {
    const context = typeof rest.at(-1) === 'string' ? rest.at(-1) : undefined;
    const stack = rest.slice(0, -1).find((each) => typeof each === 'string');
    const { text, fields } = contentOf(message);
    this.lines[LEVELS[level]]({ context, ...(stack !== undefined && { stack }), ...fields }, text);
  }
}

/** A message that is JSON already, as the HTTP edge writes it, is taken apart again: a field inside a text cannot be searched for. */
const contentOf = (message: unknown): { readonly text: string; readonly fields: Readonly<Record<string, unknown>> } => {
  if (message instanceof Error) return { text: message.message, fields: { error: message.stack } };
  if (typeof message !== 'string') return { text: '', fields: { ...(message as object) } };
  if (!message.startsWith('{"requestId":')) return { text: message, fields: {} };
  return { text: 'request failed', fields: JSON.parse(message) as Record<string, unknown> };
};
