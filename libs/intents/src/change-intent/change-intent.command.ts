import { Command, type Context, type Outcome } from '@app/kernel';
import type { ChangeIntentBody } from '../intent.schema';
import type { IntentView } from '../intent-list/intent.view';

export class ChangeIntent extends Command<Outcome<IntentView>> {
  constructor(
    readonly intentId: string,
    readonly body: ChangeIntentBody,
    readonly context: Context,
  ) {
    super();
  }
}
