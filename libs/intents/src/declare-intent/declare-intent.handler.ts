import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { collection, collectionId } from '@app/content/contract';
import { Executor, idFor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import type { Outcome } from '@app/kernel';
import { definitionChecks } from '../definition-checks';
import { intent } from '../intent.state';
import { intentAnswer } from '../intent-list/intent-answer';
import type { IntentView } from '../intent-list/intent.view';
import { DeclareIntent } from './declare-intent.command';
import { declareIntent } from './declare-intent.decide';

@CommandHandler(DeclareIntent)
export class DeclareIntentHandler implements ICommandHandler<DeclareIntent> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, context }: DeclareIntent): Promise<Outcome<IntentView>> {
    const intentId = idFor('int', context);
    const refs = {
      intent: { aggregate: intent, id: intentId },
      collection: { aggregate: collection, id: collectionId(context.siteId, body.collection) },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const done = await this.executor.execute(refs, context, (states) => declareIntent(states, intentId, body, context, definitionChecks));
    return done.ok ? intentAnswer(done.states, done.position, context) : done;
  }
}
