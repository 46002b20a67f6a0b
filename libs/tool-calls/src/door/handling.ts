import { Injectable } from '@nestjs/common';
import type { EffectiveTool } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { WriteWindow } from '@app/load-guard/contract';
import type { Call } from '@app/runs/contract';
import { OutcomeUnknown, ToolHandlers } from '../contract';
import type { CallOutcome } from '../settle-tool-call/settle-tool-call.decide';
import { recordable, recordableSentence } from './recordable';

/** An authorised call with its exact arguments. */
type Authorised = Omit<Extract<Call, { status: 'authorised' }>['asked'], 'arguments'> & { readonly arguments: Readonly<Record<string, unknown>> };

/** Runs the handlers of this process. A repeat of a call that is still running here waits for the same outcome. */
@Injectable()
export class Handling {
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(private readonly handlers: ToolHandlers) {}

  /** `record` is called exactly once, with what became of the handler; `unknown` when nobody can tell whether the call happened. */
  async start<T>(key: string, tool: EffectiveTool, call: Authorised, position: bigint, context: Context, record: (outcome: CallOutcome | 'unknown') => Promise<T>): Promise<T> {
    const writes = new WriteWindow();
    const told = this.handle(tool, call, position, { ...context, appended: writes.note });
    const running = told.then((outcome) => record(outcome === 'unknown' ? outcome : { ...outcome, writes: writes.flushed() }));
    this.running.set(key, running);
    try {
      return await running;
    } finally {
      this.running.delete(key);
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
