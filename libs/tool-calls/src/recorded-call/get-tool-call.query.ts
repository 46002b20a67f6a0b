import { Query, type Context, type Outcome, type Principal } from '@app/kernel';
import type { ToolCallAnswer } from '../tool-call-answer.view';

/** What a call was answered, or would be if it were asked for again now: for its owner and for admins, from the log. */
export class GetToolCall extends Query<Outcome<ToolCallAnswer>> {
  constructor(
    readonly runId: string,
    readonly callId: string,
    readonly principal: Principal,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
