import { ConsoleLogger, type LogLevel } from '@nestjs/common';

const ORDER: readonly LogLevel[] = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'];

/** Where Nest tells of every module and route it knows: forty lines at each start that nobody asked for. */
const CHATTY = new Set<unknown>(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

/** The server's own lines down to a level; Nest's only from a warning on. */
export class ServerLogger extends ConsoleLogger {
  constructor(level: LogLevel) {
    super({ prefix: 'harness', logLevels: ORDER.slice(0, ORDER.indexOf(level) + 1), colors: process.stdout.isTTY });
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!CHATTY.has(rest.at(-1))) super.log(message, ...rest);
  }
}
