import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { intent } from '../intent.state';
import { intentAnswer } from '../intent-list/intent-answer';
import type { IntentView } from '../intent-list/intent.view';
import { PauseIntent } from './pause-intent.command';
import { pauseIntent } from './pause-intent.decide';

@CommandHandler(PauseIntent)
export class PauseIntentHandler implements ICommandHandler<PauseIntent> {
  constructor(private readonly executor: Executor) {}

  async execute({ intentId, wish, context }: PauseIntent): Promise<Outcome<IntentView>> {
    const refs = { intent: { aggregate: intent, id: intentId, guard: true }, governance: { aggregate: governance, id: context.siteId } } as const;
    const done = await this.executor.execute(refs, context, (states) => pauseIntent(states, wish, context));
    return done.ok ? intentAnswer(done.states, done.position, context) : done;
  }
}
