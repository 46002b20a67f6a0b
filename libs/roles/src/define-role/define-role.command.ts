import { Role } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { RoleView } from '../role-list/role.view';

export const DefineRoleBody = Role.extend({ description: Role.shape.description.default('') }).meta({ id: 'DefineRole' });
export type DefineRoleBody = z.infer<typeof DefineRoleBody>;

export class DefineRole extends Command<Outcome<RoleView>> {
  constructor(
    readonly body: DefineRoleBody,
    readonly context: Context,
  ) {
    super();
  }
}
