import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsLink } from '@app/nats';
import { toolSubject } from '@app/nats/contract';
import { CallOffers, type Offer } from './call-offers';

/** For one worker to say whether it has a hand free. */
const ANSWER_MS = 1_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;
/** A worker that said that it takes the call gets so long to do it. */
const TAKING_MS = 1_000;

/**
 * Offers calls on the subject of their tool. One worker of the queue group is asked at a time; who has no hand free says so, and the next one is asked. The
 * offer names the call and holds nothing of it: the arguments are for the worker that takes it with its key.
 */
export class NatsOffers extends CallOffers {
  /** Until when (monotonic ms) nobody need be asked, by call. */
  private readonly asking = new Map<string, number>();
  private readonly refused = new Map<string, number>();

  constructor(private readonly link: Pick<NatsLink, 'current'>) {
    super();
  }

  override announce(offer: Offer): void {
    const id = `${offer.runId}/${offer.callId}`;
    if ((this.asking.get(id) ?? 0) > performance.now()) return;
    this.asking.set(id, Infinity);
    void this.ask(offer, id).finally(() => this.forgetLater(id));
  }

  private async ask({ siteId, tool, runId, callId, leaseMs }: Offer, id: string): Promise<void> {
    const { current } = this.link;
    let taking = false;
    if (current && !current.isClosed()) {
      const offer = JSON.stringify({ runId, callId, tool, leaseMs });
      const answer = await current.request(toolSubject(siteId, tool), offer, { timeout: ANSWER_MS }).catch(() => undefined);
      taking = answer !== undefined && saysTaking(answer.string());
    }
    const refusals = taking ? 0 : (this.refused.get(id) ?? 0) + 1;
    this.refused.set(id, refusals);
    this.asking.set(id, performance.now() + (taking ? TAKING_MS : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** refusals)));
  }

  /** Nothing is remembered of a call that is not offered any more. */
  private async forgetLater(id: string): Promise<void> {
    await sleep(10 * LONGEST_PAUSE_MS, undefined, { ref: false });
    if ((this.asking.get(id) ?? 0) > performance.now() - 5 * LONGEST_PAUSE_MS) return;
    this.asking.delete(id);
    this.refused.delete(id);
  }
}

const saysTaking = (text: string): boolean => {
  try {
    return (JSON.parse(text) as { taking?: unknown }).taking === true;
  } catch {
    return false;
  }
};
