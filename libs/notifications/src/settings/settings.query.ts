import { Query, type Outcome, type Principal } from '@app/kernel';
import type { ChannelsView, PreferencesView } from './change-settings.command';

export class GetPreferences extends Query<Outcome<PreferencesView>> {
  constructor(readonly person: Principal, readonly siteId: string) {
    super();
  }
}

export class GetChannels extends Query<Outcome<ChannelsView>> {
  constructor(readonly siteId: string) {
    super();
  }
}
