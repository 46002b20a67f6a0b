import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EffectiveTool } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { WriteWindow } from '@app/load-guard/contract';
import type { Call } from '@app/runs/contract';
import { OutcomeUnknown, ToolHandlers } from '../contract';
import type { CallOutcome } from '../settle-tool-call/settle-tool-call.decide';
import { recordable, recordableSentence } from './recordable';

/** An authorised call with its exact arguments. */
type Authorised = Omit<Extract<Call, { status: 'authorised' }>['asked'], 'arguments'> & { readonly arguments: Readonly<Record<string, unknown>> };

type Recording = { readonly ok: boolean };

const FIRST_RETRY_MS = 200;
const LONGEST_RETRY_MS = 5_000;

/**
 * Runs the handlers of this process. A repeat of a call that is still running here waits for the same outcome. An outcome is kept until the log
 * has it: so of a call that is authorised in this process's name and not kept here, the handler never began.
 */
@Injectable()
export class Handling implements OnModuleDestroy {
  private readonly running = new Map<string, Promise<unknown>>();
  private readonly stopping = new AbortController();

  constructor(private readonly handlers: ToolHandlers) {}

  onModuleDestroy(): void {
    this.stopping.abort();
  }

  isRunning = (key: string): boolean => this.running.has(key);

  /**
   * `record` is called with what became of the handler, `unknown` when nobody can tell whether the call happened. The caller learns what the first
   * attempt gave; while the log cannot be reached others follow.
   */
  async start<T extends Recording>(key: string, tool: EffectiveTool, call: Authorised, position: bigint, context: Context, record: (outcome: CallOutcome | 'unknown') => Promise<T>): Promise<T> {
    const writes = new WriteWindow();
    const told = this.handle(tool, call, position, { ...context, appended: writes.note });
    const outcome = told.then((became) => (became === 'unknown' ? became : { ...became, writes: writes.flushed() }));
    const first = outcome.then(record);
    const again = async () => this.untilRecorded(await outcome, record);
    const recorded = first.then((done) => (done.ok ? done : again()), again).finally(() => this.running.delete(key));
    this.running.set(key, recorded);
    // Whoever joins hears of a failure; with nobody there it is the log's next reader who does.
    recorded.catch(() => undefined);
    return first;
  }

  private async untilRecorded<T extends Recording>(outcome: CallOutcome | 'unknown', record: (outcome: CallOutcome | 'unknown') => Promise<T>): Promise<T> {
    for (let pauseMs = FIRST_RETRY_MS; ; pauseMs = Math.min(LONGEST_RETRY_MS, pauseMs * 2)) {
      await sleep(pauseMs, undefined, { ref: false, signal: this.stopping.signal });
      const done = await record(outcome).catch(() => undefined);
      if (done?.ok) return done;
    }
  }

  /** Undefined when the call is not running in this process. */
  join = async <T>(key: string): Promise<T | undefined> => (this.running.get(key) as Promise<T> | undefined) ?? undefined;

  private async handle(tool: EffectiveTool, { callId, arguments: input, timeoutMs }: Authorised, position: bigint, context: Context): Promise<CallOutcome | 'unknown'> {
    const started = performance.now();
    const runtimeMs = () => Math.round((performance.now() - started) * 1000) / 1000;
    const abort = new AbortController();
    const late = new Promise<'late'>((settle) => {
      abort.signal.addEventListener('abort', () => settle('late'), { once: true });
    });
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      const call = { context: { ...context, commandId: `${callId}@${context.runId}`, repeatable: true }, after: position, signal: abort.signal, runId: context.runId!, callId };
      const result = await Promise.race([this.handlers.run(tool, input, call), late]);
      if (result === 'late' && abort.signal.aborted) return { ok: false, reason: 'timeout', error: `The tool did not answer within ${timeoutMs} ms`, runtimeMs: runtimeMs() };
      return recordable(result, runtimeMs());
    } catch (error) {
      if (error instanceof OutcomeUnknown) return 'unknown';
      return { ok: false, reason: 'handler_failed', error: recordableSentence(error), runtimeMs: runtimeMs() };
    } finally {
      clearTimeout(timer);
    }
  }
}
