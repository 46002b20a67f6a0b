import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

export const RemovedUser = z.object({ id: z.string(), removed: z.literal(true) }).meta({ id: 'RemovedUser' });
export type RemovedUser = z.infer<typeof RemovedUser>;

export class RemoveUser extends Command<Outcome<RemovedUser>> {
  constructor(
    readonly userId: string,
    readonly remover: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
