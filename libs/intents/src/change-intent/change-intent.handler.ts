import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { collection, collectionId } from '@app/content/contract';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import { definitionChecks } from '../definition-checks';
import { intent } from '../intent.state';
import { intentAnswer } from '../intent-list/intent-answer';
import type { IntentView } from '../intent-list/intent.view';
import { ChangeIntent } from './change-intent.command';
import { changeIntent } from './change-intent.decide';

@CommandHandler(ChangeIntent)
export class ChangeIntentHandler implements ICommandHandler<ChangeIntent> {
  constructor(private readonly executor: Executor) {}

  /** The collection of an intent never changes, so it may be read before the decision. */
  async execute({ intentId, body, context }: ChangeIntent): Promise<Outcome<IntentView>> {
    const known = liveIntent((await this.executor.current(intent, intentId)).state, context.siteId);
    if (!known.ok) return known;
    const refs = {
      intent: { aggregate: intent, id: intentId },
      collection: { aggregate: collection, id: collectionId(context.siteId, known.intent.definition.collection), guard: true },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const done = await this.executor.execute(refs, context, (states) => changeIntent(states, body, context, definitionChecks));
    return done.ok ? intentAnswer(done.states, done.position, context) : done;
  }
}
