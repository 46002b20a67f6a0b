import { Logger, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Bus } from '@app/cqrs';
import { CoreTools } from '@app/governance/contract';
import { serveGraphql } from '@app/graphql';
import { configureHttp, fastifyAdapter } from '@app/http';
import { EmbeddedPostgresError } from '@app/database';
import { NatsTransport } from '@app/nats';
import { serveProtectedResource } from '@app/oidc';
import { coreSkills, type CoreSkill } from '@app/skills';
import { MasterKeyUnreadable, OtherMasterKey } from '@app/vault';
import { startAgentWorker, startOwnRecovery } from '../../worker/src/agent-worker';
import { watchLoad } from '../../worker/src/backpressure';
import { sparingly } from '../../worker/src/sparingly';
import { startWorker } from '../../worker/src/worker';
import { Closers } from './closers';
import { catalogue, projections } from './composition';
import type { Config } from './config';
import { firstStart, FIRST_SITE, registerCoreTools } from './first-start';
import { GatewayModule } from './gateway.module';
import { graphqlDesign } from './graphql-design';
import { serveLlms } from './llms/serve-llms';
import { NatsModule } from './nats.module';
import { serveNatsReference } from './nats-reference';
import { reference } from './reference/reference';
import { serveStudio } from './studio/serve-studio';
import { openResources, type Resources } from './resources';
import { metricsModule, metricsOf, observeBus, observeHttp, openMetricsPort } from './observing';
import { serverLogger } from './server-logger';
import { sealedPayloads } from './sealed-payloads';
import { StartRefused } from './start-refused';

export type Server = { readonly url: string | undefined; stop(): Promise<void> };

/** Starts the roles of one process; `skills` are the tools that every site has. What was opened is closed again when a later step fails. */
export const startServer = async (config: Config, skills: readonly CoreSkill[] = coreSkills): Promise<Server> => {
  const { logger, lines } = serverLogger(config.logLevel);
  Logger.overrideLogger(logger);
  const resources = await openResources(config).catch((error: unknown) => {
    throw error instanceof EmbeddedPostgresError || error instanceof OtherMasterKey || error instanceof MasterKeyUnreadable ? new StartRefused(error.message, { cause: error }) : error;
  });
  const closers = new Closers();
  closers.push(resources.close);
  try {
    const isWorker = config.roles.includes('worker');
    const worker = isWorker ? await startWorker({ ...resources, projections, shapes: { versionOf: catalogue.versionOf, sealed: sealedPayloads }, checkpointWebhook: config.checkpointWebhook, reach: config.reach, dataDir: config.dataDir }) : undefined;
    if (worker) closers.push(worker.stop);
    const warn = sparingly((sentence) => new Logger('LoadGuard').warn(sentence));
    const guard = watchLoad({ ...resources, limits: config.load, onError: (error) => warn(`The load was not looked at: ${String(error)}`) });
    closers.push(() => guard.stop());
    const endpoint = metricsOf(resources, closers);
    await openMetricsPort(config, endpoint, closers);
    const isGateway = config.roles.includes('gateway');
    const modules = GatewayModule.of(resources, config, skills, metricsModule(config, endpoint), ...(resources.nats ? [NatsModule.of(resources.nats, resources.idempotency)] : []));
    const app = isGateway ? await openGateway(config, resources, modules, closers, (made) => observeHttp(made, resources, lines)) : await openContext(modules, closers);
    observeBus(app, resources);
    // What a worker carries out goes through the same application as a request does; it stops before that application closes.
    if (worker) closers.push(startAgentWorker({ ...resources, consumers: worker.consumers, bus: app.get(Bus), promotionCheck: config.promotionCheck }).stop);
    else closers.push(startOwnRecovery({ ...resources, bus: app.get(Bus) }).stop);
    if (isGateway) return { url: await listen(app as NestFastifyApplication, config), stop: closers.close };
    new Logger('Server').log('Ready: worker');
    return { url: undefined, stop: closers.close };
  } catch (error) {
    await closers.close().catch((failure: unknown) => new Logger('Server').error(failure));
    throw error;
  }
};

/** The application without a web server, for a process that is a worker alone. */
const openContext = async (modules: DynamicModule, closers: Closers): Promise<INestApplicationContext> => {
  const app = await NestFactory.createApplicationContext(modules, { abortOnError: false });
  closers.push(() => app.close());
  return app;
};

const openGateway = async (
  config: Config,
  resources: Resources,
  modules: DynamicModule,
  closers: Closers,
  observe: (app: NestFastifyApplication) => void,
): Promise<NestFastifyApplication> => {
  const app = await NestFactory.create<NestFastifyApplication>(modules, fastifyAdapter(), { abortOnError: false });
  closers.push(() => app.close());
  observe(app);
  const guard = configureHttp(app, { idempotency: resources.idempotency, unprefixed: ['health/live', 'health/ready', 'metrics'], origins: config.corsOrigins, title: 'Agent Harness', groups: ['agent'], texts: reference });
  serveStudio(app);
  serveNatsReference(app);
  serveGraphql(app, { guard, design: graphqlDesign, texts: reference });
  if (config.oidc) serveProtectedResource(app, { publicUrl: config.reach.publicUrl, issuers: config.oidc.issuers });
  serveLlms(app);
  await app.init();
  await firstStart({ ...resources, config, bus: app.get(Bus), showKey: (key) => showKey(key, config) });
  await registerCoreTools(resources, app.get(CoreTools));
  if (resources.nats) {
    app.connectMicroservice({ strategy: new NatsTransport(resources.nats) });
    await app.startAllMicroservices();
  }
  return app;
};

const listen = async (app: NestFastifyApplication, config: Config): Promise<string> => {
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
