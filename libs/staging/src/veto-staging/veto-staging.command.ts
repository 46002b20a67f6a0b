import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { StagedView } from '../staged-list/staged.view';

export const VetoStagingBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() }).meta({ id: 'VetoStaging' });
export type VetoStagingBody = z.infer<typeof VetoStagingBody>;

/** Somebody objects before the window has closed. */
export class VetoStaging extends Command<Outcome<StagedView>> {
  constructor(
    readonly stagingId: string,
    readonly body: VetoStagingBody,
    readonly context: Context,
  ) {
    super();
  }
}
