import { Deferrals, type Deferral, type DeferralQuestion } from '@app/tool-calls/contract';

/** Asks one after the other and gives the first reason to wait, so a call that a window keeps out takes nothing of its budget of writes. */
export class CombinedDeferrals extends Deferrals {
  constructor(private readonly inOrder: readonly Deferrals[]) {
    super();
  }

  override async of(question: DeferralQuestion): Promise<Deferral | null> {
    for (const each of this.inOrder) {
      const deferral = await each.of(question);
      if (deferral) return deferral;
    }
    return null;
  }
}
