import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { InvalidEnvironment, readConfig } from './config';
import { startServer } from './server';
import { StartRefused } from './start-refused';

/** The operator reads one sentence, not a stack; a stack is printed only for what nobody foresaw. */
const giveUp = (error: unknown): never => {
  const foreseen = error instanceof InvalidEnvironment || error instanceof StartRefused;
  process.stderr.write(`${foreseen || !(error instanceof Error) ? String((error as Error).message ?? error) : error.stack}\n`);
  process.exit(1);
};

try {
  const starting = startServer(readConfig(process.env));
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    new Logger('Server').log(`${signal}: stopping`);
    starting.then((server) => server.stop()).then(() => process.exit(0), giveUp);
  };
  // From the beginning and for each signal: one during the start, or a second one, must not leave an embedded database behind.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await starting;
} catch (error) {
  giveUp(error);
}
