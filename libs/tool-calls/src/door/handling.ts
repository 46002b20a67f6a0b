import { Injectable } from '@nestjs/common';
import { canonicalJson } from '@app/event-store';
import type { Context } from '@app/kernel';
import type { Call } from '@app/runs/contract';
import { ToolHandlers } from '../contract';
import type { CallOutcome } from '../settle-tool-call/settle-tool-call.decide';

type Authorised = Extract<Call, { status: 'authorised' }>['asked'];

const MAX_RESULT_BYTES = 512 * 1024;

/** Runs the handlers of this process. A repeat of a call that is still running here waits for the same outcome. */
@Injectable()
export class Handling {
  private readonly running = new Map<string, Promise<unknown>>();

  constructor(private readonly handlers: ToolHandlers) {}

  /** `record` is called exactly once, with what became of the handler. */
  async start<T>(key: string, call: Authorised, position: bigint, context: Context, record: (outcome: CallOutcome) => Promise<T>): Promise<T> {
    const running = this.handle(call, position, context).then(record);
    this.running.set(key, running);
    try {
      return await running;
    } finally {
      this.running.delete(key);
    }
  }

  /** Undefined when the call is not running in this process. */
  join = async <T>(key: string): Promise<T | undefined> => (this.running.get(key) as Promise<T> | undefined) ?? undefined;

  private async handle({ callId, tool, arguments: input, timeoutMs }: Authorised, position: bigint, context: Context): Promise<CallOutcome> {
    const started = performance.now();
    const runtimeMs = () => Math.round((performance.now() - started) * 1000) / 1000;
    const abort = new AbortController();
    const late = new Promise<'late'>((settle) => {
      abort.signal.addEventListener('abort', () => settle('late'), { once: true });
    });
    const timer = setTimeout(() => abort.abort(), timeoutMs);
    try {
      const call = { context: { ...context, commandId: `${callId}@${context.runId}`, repeatable: true }, after: position, signal: abort.signal };
      const result = await Promise.race([this.handlers.run(tool, input, call), late]);
      if (result === 'late' && abort.signal.aborted) return { ok: false, reason: 'timeout', error: `The tool did not answer within ${timeoutMs} ms`, runtimeMs: runtimeMs() };
      return recordable(result, runtimeMs());
    } catch (error) {
      return { ok: false, reason: 'handler_failed', error: sentence(error), runtimeMs: runtimeMs() };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** What can be kept of a result: plain JSON of bounded size, with NUL and lone surrogates replaced, because PostgreSQL text holds neither. */
const recordable = (result: unknown, runtimeMs: number): CallOutcome => {
  const clean = storableJson(JSON.parse(JSON.stringify(result ?? null)));
  const bytes = Buffer.byteLength(canonicalJson(clean));
  return bytes > MAX_RESULT_BYTES
    ? { ok: false, reason: 'handler_failed', error: `The result has ${bytes} bytes; at most ${MAX_RESULT_BYTES} can be recorded`, runtimeMs }
    : { ok: true, result: clean, runtimeMs, resultBytes: bytes };
};

const storable = (text: string) => (text.includes('\u0000') ? text.replaceAll('\u0000', '\ufffd') : text).toWellFormed();

const storableJson = (value: unknown): unknown => {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storableJson(inner)]));
};

const sentence = (error: unknown) => storable((error as { message?: unknown } | null)?.message === undefined ? String(error) : String((error as Error).message)).slice(0, 2_000);
