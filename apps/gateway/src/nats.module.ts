import { Global, Module, type DynamicModule } from '@nestjs/common';
import { AuthGuard, Authenticator, Clock, type IdempotencyStore } from '@app/http';
import { NatsRequests, type NatsLink } from '@app/nats';
import { CallOffers, NatsOffers, WorkerRpcController } from '@app/tool-worker';
import { NatsCommandsController } from './nats-commands.controller';

/** What of the server is reached over NATS. Global, because the tools of workers look for whoever offers their calls. */
@Global()
@Module({})
export class NatsModule {
  static of(link: NatsLink, idempotency: IdempotencyStore): DynamicModule {
    return {
      module: NatsModule,
      controllers: [NatsCommandsController, WorkerRpcController],
      providers: [
        { provide: CallOffers, useValue: new NatsOffers(link) },
        { provide: NatsRequests, inject: [Authenticator, Clock], useFactory: (authenticator: Authenticator, clock: Clock) => new NatsRequests(new AuthGuard(authenticator, clock), idempotency) },
      ],
      exports: [CallOffers],
    };
  }
}
