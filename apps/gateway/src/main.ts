import 'reflect-metadata';
import { ConsoleLogger, Logger } from '@nestjs/common';
import { InvalidEnvironment, readConfig } from './config';
import { startServer } from './server';

const logger = new ConsoleLogger({ prefix: 'harness' });
Logger.overrideLogger(logger);

/** The operator reads one sentence, not a stack; a stack is printed only for what nobody foresaw. */
const giveUp = (error: unknown): never => {
  const foreseen = error instanceof InvalidEnvironment || (error as { foreseen?: unknown } | null)?.foreseen === true;
  process.stderr.write(`${foreseen || !(error instanceof Error) ? String((error as Error).message ?? error) : error.stack}\n`);
  process.exit(1);
};

try {
  const config = readConfig(process.env);
  logger.setLogLevels?.(levelsFrom(config.logLevel));
  const server = await startServer(config);
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.log(`${signal}: stopping`);
    server.stop().then(() => process.exit(0), giveUp);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  giveUp(error);
}

function levelsFrom(level: string) {
  const order = ['fatal', 'error', 'warn', 'log', 'debug', 'verbose'] as const;
  return order.slice(0, order.indexOf(level as 'log') + 1);
}
