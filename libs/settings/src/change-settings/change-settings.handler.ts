import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { Vault } from '@app/vault';
import { settingsView, type SettingsView } from '../settings.view';
import { ChangeSettings } from './change-settings.command';
import { changeSettings } from './change-settings.decide';

@CommandHandler(ChangeSettings)
export class ChangeSettingsHandler implements ICommandHandler<ChangeSettings> {
  constructor(
    private readonly executor: Executor,
    private readonly vault: Vault,
  ) {}

  /** The log first: no secret changes unseen. Whoever gets no answer, because a crash came in between, asks again and sets it again. */
  async execute({ body, context }: ChangeSettings): Promise<Outcome<SettingsView>> {
    const { siteId } = context;
    const refs = { governance: { aggregate: governance, id: siteId } };
    const kept = await this.vault.names(siteId);
    const changed = await this.executor.execute(refs, context, ({ governance: state }) => changeSettings(state, body, kept));
    if (!changed.ok) return changed;
    const state = changed.states.governance;
    if (state.status === 'none') return missing();
    if (body.secrets) await this.vault.putSecrets(siteId, body.secrets);
    const names = body.secrets ? await this.vault.names(siteId) : kept;
    return { ok: true, data: settingsView(state, names, changed.versions.governance), position: changed.position };
  }
}
