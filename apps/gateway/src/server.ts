import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Bus } from '@app/cqrs';
import { CoreTools } from '@app/governance/contract';
import { configureHttp, fastifyAdapter } from '@app/http';
import { EmbeddedPostgresError } from '@app/database';
import { coreSkills, type CoreSkill } from '@app/skills';
import { startWorker } from '../../worker/src/worker';
import { Closers } from './closers';
import { projections } from './composition';
import type { Config } from './config';
import { firstStart, FIRST_SITE, registerCoreTools } from './first-start';
import { GatewayModule } from './gateway.module';
import { serveStudio } from './studio/serve-studio';
import { openResources, type Resources } from './resources';
import { ServerLogger } from './server-logger';
import { StartRefused } from './start-refused';

export type Server = { readonly url: string | undefined; stop(): Promise<void> };

/** Starts the roles of one process; `skills` are the tools that every site has. What was opened is closed again when a later step fails. */
export const startServer = async (config: Config, skills: readonly CoreSkill[] = coreSkills): Promise<Server> => {
  Logger.overrideLogger(new ServerLogger(config.logLevel));
  const resources = await openResources(config).catch((error: unknown) => {
    throw error instanceof EmbeddedPostgresError ? new StartRefused(error.message, { cause: error }) : error;
  });
  const closers = new Closers();
  closers.push(resources.close);
  try {
    if (config.roles.includes('worker')) {
      const worker = await startWorker({ ...resources, projections, dataDir: config.dataDir });
      closers.push(worker.stop);
    }
    const url = config.roles.includes('gateway') ? await startGateway(config, resources, skills, closers) : undefined;
    if (url === undefined) new Logger('Server').log('Ready: worker');
    return { url, stop: closers.close };
  } catch (error) {
    await closers.close().catch((failure: unknown) => new Logger('Server').error(failure));
    throw error;
  }
};

const startGateway = async (config: Config, resources: Resources, skills: readonly CoreSkill[], closers: Closers): Promise<string> => {
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.of(resources, config, skills), fastifyAdapter(), { abortOnError: false });
  closers.push(() => app.close());
  configureHttp(app, { idempotency: resources.idempotency, unprefixed: ['health/live', 'health/ready'], title: 'Agent Harness', groups: ['agent'] });
  serveStudio(app);
  await app.init();
  await firstStart({ ...resources, config, bus: app.get(Bus), showKey: (key) => showKey(key, config) });
  await registerCoreTools(resources, app.get(CoreTools));
  await app.listen(config.port, config.host).catch((error: NodeJS.ErrnoException) => {
    throw new StartRefused(
      error.code === 'EADDRINUSE'
        ? `Port ${config.port} on ${config.host} is already in use; set PORT to a free one or stop the other program.`
        : `The server cannot listen on port ${config.port} of ${config.host}: ${error.message}. Choose others with PORT and HOST.`,
      { cause: error },
    );
  });
  const url = await app.getUrl();
  process.stdout.write(`Agent Harness is ready at ${url}\n  Studio     ${url}/studio\n  Reference  ${url}/docs\n`);
  return url;
};

/** Printed by the start that created it and by no other. */
const showKey = (key: string, { bootstrapKey }: Config) =>
  process.stdout.write(bootstrapKey === undefined ? `Admin key of site ${FIRST_SITE}, shown once: ${key}\n` : `Admin key of site ${FIRST_SITE}: as set by HARNESS_BOOTSTRAP_KEY\n`);
