import { Query, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import type { DryRunView } from './dry-run.view';

/** On a run that is open, or on one that the caller would open now under a role. */
export const DryRunBody = z.strictObject({
  runId: z.string().min(1).max(100).optional(),
  role: z.string().trim().min(1).max(100).optional(),
  arguments: z.record(z.string(), z.json()).default({}),
}).refine(({ runId, role }) => runId === undefined || role === undefined, { path: ['role'], message: 'A run has its role already: name one of the two' }).meta({ id: 'DryRunTool' });
export type DryRunBody = z.infer<typeof DryRunBody>;

/** What the door would decide now. Nothing is recorded, and nothing runs. */
export class DryRunToolCall extends Query<Outcome<DryRunView>> {
  constructor(
    readonly tool: string,
    readonly body: DryRunBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
