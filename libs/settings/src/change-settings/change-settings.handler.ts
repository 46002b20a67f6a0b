import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { settingsView, type SettingsView } from '../settings.view';
import { ChangeSettings } from './change-settings.command';
import { changeSettings } from './change-settings.decide';

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, context }: ChangeSettings): Promise<Outcome<SettingsView>> {
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const changed = await this.executor.execute(refs, context, ({ governance: state }) => changeSettings(state, body));
    if (!changed.ok) return changed;
    const state = changed.states.governance;
    return state.status === 'none' ? missing() : { ok: true, data: settingsView(state, changed.versions.governance), position: changed.position };
  }
}
