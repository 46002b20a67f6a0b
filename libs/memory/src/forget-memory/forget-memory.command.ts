import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

export const ForgottenMemoryView = z.object({ id: z.string(), forgotten: z.literal(true) }).meta({ id: 'ForgottenMemory' });
export type ForgottenMemoryView = z.infer<typeof ForgottenMemoryView>;

/** Destroys the keys of a memory: its text is then nowhere to be read, in no copy of the log either. */
export class ForgetMemory extends Command<Outcome<ForgottenMemoryView>> {
  constructor(
    readonly memoryId: string,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
