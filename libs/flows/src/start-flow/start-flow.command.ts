import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { FLOW_CAUSES } from '../flow.schema';

/** The occurrence that began; its operations follow at once, on this run. */
export const StartedFlow = z.object({ flowId: z.string(), occurrenceId: z.string(), goalId: z.string(), runId: z.string(), cause: z.enum(FLOW_CAUSES) }).meta({ id: 'StartedFlow' });
export type StartedFlow = z.infer<typeof StartedFlow>;

export class StartFlow extends Command<Outcome<StartedFlow>> {
  constructor(
    readonly flowId: string,
    readonly cause: StartedFlow['cause'],
    readonly context: Context,
  ) {
    super();
  }
}
