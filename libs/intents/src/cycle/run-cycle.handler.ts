import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { Clock } from '@app/http';
import type { Outcome } from '@app/kernel';
import type { CycleView } from './cycle.view';
import { IntentCycle } from './intent-cycle';
import { ItemPages } from './item-pages';
import { LinkChecker } from './link-checker';
import { RunCycle } from './run-cycle.command';

@CommandHandler(RunCycle)
export class RunCycleHandler implements ICommandHandler<RunCycle> {
  private readonly cycle: IntentCycle;

  constructor(store: EventStore, executor: Executor, pages: ItemPages, links: LinkChecker, clock: Clock) {
    this.cycle = new IntentCycle({ store, executor, pages, links, now: () => clock.now() });
  }

  execute({ intentId, context: { siteId, actor, correlationId, commandId, traceparent } }: RunCycle): Promise<Outcome<CycleView>> {
    return this.cycle.run(intentId, siteId, { trigger: 'manual', dueAt: null }, { actor, correlationId, commandId, ...(traceparent !== undefined && { traceparent }) });
  }
}
