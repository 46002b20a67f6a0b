import { Command, type Context, type Outcome, type Principal } from '@app/kernel';

/** Refuses a call of a control-plane skill by somebody who is no admin, and records that it did. Never succeeds. */
export class DenyControlPlane extends Command<Outcome<never>> {
  constructor(
    readonly tool: string,
    readonly runId: string | undefined,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
