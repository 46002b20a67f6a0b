import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

const Reason = z.string().trim().min(1).max(2_000);
export const CompleteRunBody = z.strictObject({ result: z.json().optional() }).meta({ id: 'CompleteRun' });
export const FailRunBody = z.strictObject({ reason: Reason }).meta({ id: 'FailRun' });
export const CancelRunBody = z.strictObject({ reason: Reason.optional() }).meta({ id: 'CancelRun' });

/** How somebody wants a run to end. */
export type Wish =
  | ({ readonly to: 'complete' } & z.infer<typeof CompleteRunBody>)
  | ({ readonly to: 'fail' } & z.infer<typeof FailRunBody>)
  | ({ readonly to: 'cancel' } & z.infer<typeof CancelRunBody>);

export type EndedRun = { readonly runId: string; readonly goalId: string; readonly status: string; readonly stopReason: string | null };

export class EndRun extends Command<Outcome<EndedRun>> {
  constructor(
    readonly runId: string,
    readonly wish: Wish,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
