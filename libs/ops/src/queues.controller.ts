import { Controller, Get, Inject } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import { answer, ApiAnswer, RequireCapability } from '@app/http';
import { QueueProvider } from '@app/queue';
import { z } from 'zod';
import { QueueView } from './queues.view';

@Controller('ops/queues')
export class QueuesController {
  constructor(
    @Inject(QueueProvider) private readonly queue: QueueProvider | null,
    private readonly store: EventStore,
  ) {}

  /** Depth and failures of every queue; none when the installation runs without queues. */
  @Get()
  @RequireCapability('ops:read')
  @ApiAnswer(z.array(QueueView))
  async list() {
    const depths = this.queue ? await this.queue.depths() : [];
    return answer(depths.map(({ queue: name, waiting, active, delayed, failed }) => ({ name, waiting, active, delayed, failed })), await this.store.head());
  }
}
