import { Executor } from '@app/event-store';
import { Deferrals, type Deferral, type DeferralQuestion } from '@app/tool-calls/contract';
import { intent } from '../intent.state';
import { windowDeferral } from './window-deferral.policy';

/** What the door asks of intents: only runs that belong to one cost a look. */
export class IntentDeferrals extends Deferrals {
  constructor(private readonly executor: Executor) {
    super();
  }

  override async of({ siteId, intentId, now }: DeferralQuestion): Promise<Deferral | null> {
    if (intentId === null) return null;
    const { state } = await this.executor.current(intent, intentId);
    return state.status === 'live' && state.siteId === siteId ? windowDeferral(state, now) : null;
  }
}
