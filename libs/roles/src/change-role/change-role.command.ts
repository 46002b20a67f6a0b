import { Role } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { RoleView } from '../role-list/role.view';

/** `enabled: true` puts a disabled role in use again; to disable one, delete it. */
export const ChangeRoleBody = Role.omit({ name: true }).partial().extend({ enabled: z.literal(true).optional() }).meta({ id: 'ChangeRole' });
export type ChangeRoleBody = z.infer<typeof ChangeRoleBody>;

export class ChangeRole extends Command<Outcome<RoleView>> {
  constructor(
    readonly name: string,
    readonly body: ChangeRoleBody,
    readonly context: Context,
  ) {
    super();
  }
}
