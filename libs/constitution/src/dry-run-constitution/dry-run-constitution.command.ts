import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { DryRun } from './dry-run.view';

/** `limit` is the number of items per collection, newest first; without `collections` every collection of the site is examined. */
export const DryRunBody = z.strictObject({
  collections: z.array(z.string().min(1).max(63)).min(1).max(50).optional(),
  limit: z.int().min(1).max(200).default(50),
}).meta({ id: 'DryRunConstitution' });
export type DryRunBody = z.infer<typeof DryRunBody>;

export class DryRunConstitution extends Command<Outcome<DryRun>> {
  constructor(
    readonly constitutionId: string,
    readonly body: DryRunBody,
    readonly context: Context,
    /** What the items must have seen. */
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
