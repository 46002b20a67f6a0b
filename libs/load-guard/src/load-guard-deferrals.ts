import type { Executor } from '@app/event-store';
import { Deferrals, type Deferral, type DeferralQuestion } from '@app/tool-calls/contract';
import { retryAfterMs } from './backpressure/backpressure.policy';
import { load } from './load.state';
import type { RateWindow, RateWindows } from './rate-window/rate-windows';

const MINUTE_MS = 60_000;

/** What the load guard makes wait: the reconciler's calls under backpressure, writes above their budget, and calls above a tool's rate. */
export class LoadGuardDeferrals extends Deferrals {
  constructor(
    private readonly executor: Executor,
    private readonly windows: RateWindows,
  ) {
    super();
  }

  /** A call that no limit is set for costs nothing here, and only the reconciler's ask for the load. */
  override async of(question: DeferralQuestion): Promise<Deferral | null> {
    return (await this.backpressure(question)) ?? this.rates(question);
  }

  private async backpressure({ origin, siteId, now }: DeferralQuestion): Promise<Deferral | null> {
    if (origin !== 'reconciler') return null;
    const { state } = await this.executor.current(load, siteId);
    return state.status === 'pressed' ? { reason: 'backpressure', rule: 'load_guard', retryAfterMs: retryAfterMs(state.activated, now) } : null;
  }

  private async rates({ siteId, runId, callId, tool, intentId, maxWritesPerMinute, writes: slots = 1, now }: DeferralQuestion): Promise<Deferral | null> {
    const writes: RateWindow[] =
      maxWritesPerMinute === undefined || tool.risk === 'read' ? [] : [{ key: `writes|${siteId}:${intentId ?? runId}`, limit: maxWritesPerMinute, windowMs: MINUTE_MS, slots }];
    const rate: RateWindow[] = tool.rateLimit ? [{ key: `tool|${siteId}:${tool.name}`, limit: tool.rateLimit.calls, windowMs: tool.rateLimit.perMs }] : [];
    const windows = [...writes, ...rate];
    if (windows.length === 0) return null;
    const full = await this.windows.take(windows, `${runId}/${callId}`, now);
    return full && { reason: full.key === writes[0]?.key ? 'write_budget_exceeded' : 'rate_limited', rule: 'load_guard', retryAfterMs: full.retryAfterMs };
  }
}
