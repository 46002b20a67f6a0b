import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { Vault } from '@app/vault';
import { settingsView, type SettingsView } from '../settings.view';
import { GetSettings } from './get-settings.query';

@QueryHandler(GetSettings)
export class GetSettingsHandler implements IQueryHandler<GetSettings> {
  constructor(
    private readonly executor: Executor,
    private readonly vault: Vault,
  ) {}

  async execute({ siteId }: GetSettings): Promise<Outcome<SettingsView>> {
    const { state, version, position } = await this.executor.current(governance, siteId);
    return state.status === 'none' ? missing() : { ok: true, data: settingsView(state, await this.vault.names(siteId), version), position };
  }
}
