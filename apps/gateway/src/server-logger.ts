import { ConsoleLogger, type LoggerService, type LogLevel } from '@nestjs/common';
import { jsonLog, JsonLogger, type JsonLog } from '@app/observability';

const ORDER: readonly LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Where Nest tells of every module and route it knows: forty lines at each start that nobody asked for. */
const CHATTY = new Set<unknown>(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** The server's own lines down to a level, for a person at a terminal; Nest's only from a warning on. */
class TerminalLogger extends ConsoleLogger {
  constructor(level: LogLevel) {
    super({ prefix: 'harness', logLevels: ORDER.slice(0, ORDER.indexOf(level) + 1), colors: true });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!CHATTY.has(rest.at(-1))) super.log(message, ...rest);
  }
}

/** The same for machines. */
class ServerLogger extends JsonLogger {
  override log(message: unknown, ...rest: readonly unknown[]): void {
    if (!CHATTY.has(rest.at(-1))) super.log(message, ...rest);
  }
}

/** `lines` takes the access lines; a terminal shows none. */
export const serverLogger = (level: LogLevel, isTerminal = process.stdout.isTTY): { readonly logger: LoggerService; readonly lines: JsonLog | undefined } => {
  if (isTerminal) return { logger: new TerminalLogger(level), lines: undefined };
  const lines = jsonLog(level);
  return { logger: new ServerLogger(lines), lines };
};
