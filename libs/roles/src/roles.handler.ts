import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { missing, type Context, type Decision, type Outcome } from '@app/kernel';
import { ChangeRole } from './change-role/change-role.command';
import { changeRole } from './change-role/change-role.decide';
import { DefineRole } from './define-role/define-role.command';
import { defineRole } from './define-role/define-role.decide';
import { DisableRole } from './disable-role/disable-role.command';
import { disableRole } from './disable-role/disable-role.decide';
import { roleOf, roleView, type RoleView } from './role-list/role.view';

type Rule = (state: Governance) => Decision<{ readonly governance: readonly GovernanceEvent[] }>;

const decided = async (executor: Executor, name: string, context: Context, rule: Rule): Promise<Outcome<RoleView>> => {
  const done = await executor.execute({ governance: { aggregate: governance, id: context.siteId } }, context, (states) => rule(states.governance));
  if (!done.ok) return done;
  const role = roleOf(done.states.governance, name);
  return role ? { ok: true, data: roleView(role), position: done.position } : missing();
};

@CommandHandler(DefineRole)
export class DefineRoleHandler implements ICommandHandler<DefineRole> {
  constructor(private readonly executor: Executor) {}

  execute = ({ body, context }: DefineRole) => decided(this.executor, body.name, context, (state) => defineRole(state, body));
}

@CommandHandler(ChangeRole)
export class ChangeRoleHandler implements ICommandHandler<ChangeRole> {
  constructor(private readonly executor: Executor) {}

  execute = ({ name, body, context }: ChangeRole) => decided(this.executor, name, context, (state) => changeRole(state, name, body));
}

@CommandHandler(DisableRole)
export class DisableRoleHandler implements ICommandHandler<DisableRole> {
  constructor(private readonly executor: Executor) {}

  execute = ({ name, context }: DisableRole) => decided(this.executor, name, context, (state) => disableRole(state, name));
}
