import { Name } from '@app/content/contract';
import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Rule } from '../intent.schema';

export const CompileIntentBody = z.strictObject({ description: z.string().trim().min(1).max(8_000), collection: Name }).meta({ id: 'CompileIntent' });
export type CompileIntentBody = z.infer<typeof CompileIntentBody>;

/** A proposal for a person to confirm by declaring an intent; nothing came into being. */
export const CompiledIntent = z.object({ collection: z.string(), rules: z.array(Rule).readonly(), warnings: z.array(z.string()).readonly() }).meta({ id: 'CompiledIntent' });
export type CompiledIntent = z.infer<typeof CompiledIntent>;

/** Asks a language model what rules a description means. */
export class CompileIntent extends Query<Outcome<CompiledIntent>> {
  constructor(
    readonly body: CompileIntentBody,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
