import { Command, type Context, type Outcome } from '@app/kernel';
import type { DeclareIntentBody } from '../intent.schema';
import type { IntentView } from '../intent-list/intent.view';

export class DeclareIntent extends Command<Outcome<IntentView>> {
  constructor(
    readonly body: DeclareIntentBody,
    readonly context: Context,
  ) {
    super();
  }
}
