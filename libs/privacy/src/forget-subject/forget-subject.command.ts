import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

/** `run_…` or `mem_…`. */
export const ForgetSubjectBody = z.strictObject({ subject: z.string().min(1).max(100) }).meta({ id: 'ForgetSubject' });
export type ForgetSubjectBody = z.infer<typeof ForgetSubjectBody>;

/** `alsoIn` counts what told of a run beside the run itself, and has forgotten it as well. */
export const ForgottenSubject = z.object({
  subject: z.string(),
  alsoIn: z.object({ goals: z.int(), approvals: z.int(), changes: z.int() }),
}).meta({ id: 'ForgottenSubject' });
export type ForgottenSubject = Readonly<z.infer<typeof ForgottenSubject>>;

/** Destroys the key of a run or a memory: its words are then nowhere to be read, in no copy of the log either. `contextFor` gives each step a context. */
export class ForgetSubject extends Command<Outcome<ForgottenSubject>> {
  constructor(
    readonly body: ForgetSubjectBody,
    readonly principal: Principal,
    readonly contextFor: (step: string) => Context,
  ) {
    super();
  }
}
