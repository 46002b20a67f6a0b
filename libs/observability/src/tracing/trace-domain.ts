import { context, trace, type Tracer } from '@opentelemetry/api';
import { categoryOf, type Context, type Recorded } from '@app/kernel';
import { inSpan, remoteParent, traceparentOf, type Attributes } from './tracing';

type Answered = { readonly ok?: boolean; readonly rejection?: { readonly code?: string } };
type Decided = { readonly ok: boolean; readonly position?: bigint; readonly rejection?: { readonly code: string } };

/** A refusal is an answer and no failure; its code is worth knowing. */
const refusalOf = (answer: unknown): Attributes => {
  const { ok, rejection } = (typeof answer === 'object' && answer !== null ? answer : {}) as Answered;
  return ok === false && rejection?.code !== undefined ? { 'harness.rejection.code': rejection.code } : {};
};

/** Spans of what happens between a request and the log: messages and decisions. */
export class DomainSpans {
  constructor(private readonly tracer: Tracer) {}

  /** Around every command and every query of the bus. */
  readonly message = <T>(kind: 'command' | 'query', message: object, handle: () => Promise<T>): Promise<T> =>
    inSpan(this.tracer, `${kind} ${message.constructor.name}`, {}, async (span) => {
      const answer = await handle();
      span.setAttributes(refusalOf(answer));
      return answer;
    });

  /**
   * Around every decision. What it appends names this span, which is how a read model, a process elsewhere or somebody a year later finds
   * the trace. A decision that no request asked for, such as a deadline, belongs to the trace that its context names.
   */
  readonly decision = <T extends Decided>(streamIds: readonly string[], asked: Context, decide: (asked: Context) => Promise<T>): Promise<T> => {
    const categories = streamIds.map(categoryOf);
    const attributes: Attributes = {
      'harness.site.id': asked.siteId, 'harness.command.id': asked.commandId, 'harness.streams': categories,
      ...(asked.runId !== undefined && { 'harness.run.id': asked.runId }),
    };
    const parent = trace.getSpan(context.active()) ? context.active() : remoteParent(asked.traceparent);
    return inSpan(this.tracer, `decide ${categories[0] ?? ''}`, { attributes }, async (span) => {
      const decided = await decide({ ...asked, traceparent: traceparentOf(span) });
      span.setAttributes({ ...refusalOf(decided), ...(decided.position !== undefined && { 'harness.position': String(decided.position) }) });
      return decided;
    }, parent);
  };

  /** After a read model has taken events in: one span for the events of each decision, in the trace that the events themselves name. */
  readonly projected = (projection: string, events: readonly Recorded[], startedAt: number): void => {
    const endedAt = Date.now();
    for (const [traceparent, own] of Map.groupBy(events, ({ metadata }) => metadata.traceparent)) {
      if (traceparent === undefined) continue;
      const attributes = { 'harness.projection': projection, 'harness.events': own.length, 'harness.position': String(own.at(-1)!.position) };
      this.tracer.startSpan(`project ${projection}`, { attributes, startTime: startedAt }, remoteParent(traceparent, context.active())).end(endedAt);
    }
  };

  /**
   * Around a tool's handler, by the GenAI conventions of OpenTelemetry. Neither arguments nor results are recorded: those conventions ask
   * for it to be chosen, and they belong to the log.
   */
  readonly tool = <T>({ tool, callId, runId, goalId }: ToolCallSpan, run: () => Promise<T>): Promise<T> => {
    const attributes: Attributes = {
      'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': tool, 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': callId, 'harness.run.id': runId,
      ...(goalId !== undefined && { 'gen_ai.conversation.id': goalId }),
    };
    return inSpan(this.tracer, `execute_tool ${tool}`, { attributes }, run);
  };
}

export type ToolCallSpan = { readonly tool: string; readonly callId: string; readonly runId: string; readonly goalId?: string | undefined };

