import { Command, type Context, type Outcome } from '@app/kernel';
import type { RoleView } from '../role-list/role.view';

export class DisableRole extends Command<Outcome<RoleView>> {
  constructor(
    readonly name: string,
    readonly context: Context,
  ) {
    super();
  }
}
