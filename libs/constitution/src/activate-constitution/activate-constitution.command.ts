import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

/** The version now in force, and how it differs from the one before; `previousHash` is null when there was none. */
export const ActivatedConstitution = z.object({
  constitutionId: z.string(),
  status: z.literal('active'),
  hash: z.string(),
  previousHash: z.string().nullable(),
  added: z.array(z.string()).readonly(),
  removed: z.array(z.string()).readonly(),
  changed: z.array(z.string()).readonly(),
}).meta({ id: 'ActivatedConstitution' });
export type ActivatedConstitution = z.infer<typeof ActivatedConstitution>;

export class ActivateConstitution extends Command<Outcome<ActivatedConstitution>> {
  constructor(
    readonly constitutionId: string,
    readonly context: Context,
  ) {
    super();
  }
}
