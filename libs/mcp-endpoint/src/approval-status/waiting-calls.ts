import { Injectable } from '@nestjs/common';
import { approval as approvalAggregate } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { Draining, type Caller } from '@app/http';
import { missing, reject, type Outcome } from '@app/kernel';
import { GetToolCall, type ToolCallAnswer } from '@app/tool-calls/contract';
import { concerns, isWaiting, newsIn, outlived, type WaitingCall } from './waiting-call.policy';

/** Says what is being waited for, and when something about it has changed. */
export type Report = (message: string) => Promise<void>;
export type Patience = { readonly waitMs: number; readonly signal: AbortSignal; readonly report: Report };

/** Streams that a process holds open for waiting at once; who comes after them is answered and asks again. */
const MOST_WAITING = 256;
/** A client that counts silence as failure hears of us before its usual minute is over. */
const SIGN_OF_LIFE_MS = 15_000;

/** Calls that wait for a person: how they stand, and, told by the log, when that changes. */
@Injectable()
export class WaitingCalls {
  private waiting = 0;

  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
    private readonly draining: Draining,
  ) {}

  /** The call that an approval is about; an id of another site, and for the token of a run one of another run, is unknown. */
  async of(approvalId: string, { siteId, principal }: Caller): Promise<Outcome<WaitingCall>> {
    const { state, position } = await this.executor.current(approvalAggregate, approvalId);
    if (state.status === 'none' || state.request.siteId !== siteId) return missing();
    const { kind, runId, callId } = state.request;
    if (principal.onlyRun !== undefined && principal.onlyRun !== runId) return missing();
    if (kind !== 'tool_call' || runId === null || callId === null) return reject('forbidden', 'FORBIDDEN', `An approval of kind ${kind} is about no call.`, { kind });
    return { ok: true, data: { approvalId, runId, callId }, position };
  }

  async answer({ approvalId, runId, callId }: WaitingCall, { principal, siteId }: Caller): Promise<Outcome<ToolCallAnswer>> {
    const call = await this.bus.ask(new GetToolCall(runId, callId, principal, { siteId }));
    if (!call.ok || call.data.status !== 'pending_approval') return call;
    const { state } = await this.executor.current(approvalAggregate, approvalId);
    return { ...call, data: outlived(call.data, state) };
  }

  /** How the call stands when it waits no longer, or when patience ends. Events of the log bring the news; nothing is asked for again and again. */
  async settled(call: WaitingCall, caller: Caller, { waitMs, signal, report }: Patience): Promise<Outcome<ToolCallAnswer>> {
    const seen = await this.store.head();
    const now = await this.answer(call, caller);
    if (!now.ok || !isWaiting(now.data) || waitMs === 0 || this.waiting >= MOST_WAITING) return now;
    const end = AbortSignal.any([signal, this.draining.signal, AbortSignal.timeout(waitMs)]);
    this.waiting++;
    const signs = setInterval(() => void report('Still waiting for a person'), SIGN_OF_LIFE_MS);
    try {
      await report(`Waiting for a person to decide ${call.approvalId}`);
      for await (const page of this.store.follow(seen, { filter: { siteId: caller.siteId, categories: ['run', 'approval'] }, signal: end })) {
        const news = page.filter((event) => concerns(call, event));
        if (news.length === 0) continue;
        for (const message of newsIn(news)) await report(message);
        const then = await this.answer(call, caller);
        if (!then.ok || !isWaiting(then.data)) {
          await report('Decided');
          return then;
        }
      }
    } finally {
      clearInterval(signs);
      this.waiting--;
    }
    return this.answer(call, caller);
  }
}
