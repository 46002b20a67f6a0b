import type { LoggerService, ModuleMetadata } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Clock, SystemClock } from '../clock';
import { configureHttp, fastifyAdapter, type FastifyAdapterOptions, type HttpOptions } from '../configure';
import { HttpModule } from '../http.module';
import { Authenticator } from '../principal';

export type RunningHttp = {
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** `fetch` against the server; the path begins with a slash. */
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

type Options = HttpOptions & FastifyAdapterOptions & {
  readonly authenticator: Authenticator;
  readonly clock?: Clock;
  readonly logger?: LoggerService | false;
};

/** A real server on a free loopback port with the whole HTTP edge in front of the given controllers. */
export const startHttp = async (metadata: ModuleMetadata, { authenticator, clock = new SystemClock(), logger = false, bodyLimit, ...http }: Options): Promise<RunningHttp> => {
  const module = await Test.createTestingModule({
    ...metadata,
    imports: [HttpModule, ...(metadata.imports ?? [])],
    providers: [...(metadata.providers ?? []), { provide: Authenticator, useValue: authenticator }],
  })
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const app = module.createNestApplication<NestFastifyApplication>(fastifyAdapter(bodyLimit === undefined ? {} : { bodyLimit }), { logger });
  configureHttp(app, http);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return { app, url, request: (path, init) => fetch(`${url}${path}`, init), close: () => app.close() };
};
