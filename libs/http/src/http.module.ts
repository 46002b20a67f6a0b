import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from './clock';
import { Draining } from './draining';

/** What controllers of every capability may inject: the clock, and the sign that the server stops. */
@Global()
@Module({ providers: [{ provide: Clock, useClass: SystemClock }, Draining], exports: [Clock, Draining] })
export class HttpModule {}
