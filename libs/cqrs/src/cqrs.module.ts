import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule as NestCqrsModule } from '@nestjs/cqrs';
import { Bus } from './bus';
import { OneHandlerEach } from './one-handler-each';

/** Nest's command and query buses; its event bus and sagas are never used, because they keep no checkpoint and swallow errors. */
@Global()
@Module({ imports: [NestCqrsModule.forRoot(), DiscoveryModule], providers: [Bus, OneHandlerEach], exports: [Bus] })
export class CqrsModule {}
