import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

/** `ref` is what a summary put in the place of a result: the id of the call that gave it. */
export const ResolveRefInput = z.strictObject({ ref: z.string().min(1).max(100).describe('The id of an earlier call of this run') });
export type ResolvedRef = { readonly ref: string; readonly tool: string; readonly status: 'executed'; readonly result: unknown };

/** The whole recorded result of an earlier call of the very same run. */
export class ResolveRef extends Query<Outcome<ResolvedRef>> {
  constructor(
    readonly ref: string,
    readonly runId: string,
    readonly context: Pick<Context, 'siteId' | 'actor'>,
  ) {
    super();
  }
}
