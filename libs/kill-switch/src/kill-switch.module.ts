import { Module } from '@nestjs/common';
import { ListCallsInFlightHandler } from './calls-in-flight/list-calls-in-flight.handler';
import { ListFreezesHandler } from './freeze-list/list-freezes.handler';
import { FreezeScopeHandler } from './freeze-scope/freeze-scope.handler';
import { KillSwitchController } from './kill-switch.controller';
import { LiftFreezeHandler } from './lift-freeze/lift-freeze.handler';

@Module({ controllers: [KillSwitchController], providers: [FreezeScopeHandler, LiftFreezeHandler, ListFreezesHandler, ListCallsInFlightHandler] })
export class KillSwitchModule {}
