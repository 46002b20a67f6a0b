import { Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { EventStore, parkedEvents, retryParkedEvent, type ParkedEvent } from '@app/event-store';
import { answer, ApiAnswer, limitParam, ProblemException, ReadQuery, RequireCapability } from '@app/http';
import { missing } from '@app/kernel';
import { Pool } from 'pg';
import { z } from 'zod';
import { ParkedEventView, RetriedEvent } from './parked-event.view';

const ParkedQuery = ReadQuery.extend({ limit: limitParam });

/** Events that a consumer of the log failed to handle and went on without. It tries them again by itself; nothing here throws one away. */
@Controller('ops/parked-events')
export class ParkedEventsController {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly store: EventStore,
  ) {}

  /** Oldest first. */
  @Get()
  @RequireCapability('ops:read')
  @ApiAnswer(z.array(ParkedEventView))
  async list(@Query({ schema: ParkedQuery }) { limit }: z.infer<typeof ParkedQuery>) {
    return answer((await parkedEvents(this.pool, limit)).map(viewOf), await this.store.head());
  }

  /** Within seconds instead of when its time comes, for instance after the fault was repaired. */
  @Post(':consumer/:position/retry')
  @RequireCapability('ops:write')
  @ApiAnswer(RetriedEvent)
  async retry(@Param('consumer') consumer: string, @Param('position') position: string) {
    const found = /^\d{1,18}$/.test(position) && (await retryParkedEvent(this.pool, consumer, BigInt(position)));
    if (!found) throw ProblemException.of(missing().rejection);
    return answer({ consumer, position }, await this.store.head());
  }
}

const viewOf = ({ position, parkedAt, nextTryAt, ...event }: ParkedEvent): ParkedEventView => ({
  ...event, position: String(position), parkedAt: parkedAt.toISOString(), nextTryAt: nextTryAt.toISOString(),
});
