import { Query, type Outcome } from '@app/kernel';
import type { SettingsView } from '../settings.view';

/** Answered from the log itself: what it shows is what the next decision is taken on. */
export class GetSettings extends Query<Outcome<SettingsView>> {
  constructor(readonly siteId: string) {
    super();
  }
}
