import type { DomainSpans } from '@app/observability';
import { ToolHandlers, type CallContext } from '@app/tool-calls/contract';

type Tool = Parameters<ToolHandlers['run']>[0];
type Input = Parameters<ToolHandlers['run']>[1];

/** Every handler, of whatever kind, inside a span of its own. */
class TracedToolHandlers extends ToolHandlers {
  constructor(
    private readonly handlers: ToolHandlers,
    private readonly spans: DomainSpans,
  ) {
    super();
  }

  override handles = (tool: Tool) => this.handlers.handles(tool);
  override run = (tool: Tool, input: Input, call: CallContext) =>
    this.spans.tool({ tool: tool.name, callId: call.callId, runId: call.runId, goalId: call.context.goalId }, () => this.handlers.run(tool, input, call));
  override preview = (...asked: Parameters<ToolHandlers['preview']>) => this.handlers.preview(...asked);
  override target = (...asked: Parameters<ToolHandlers['target']>) => this.handlers.target(...asked);
  override writes = (tool: Tool, input: Input) => this.handlers.writes(tool, input);
}

/** Without traces there is nothing in between. */
export const traced = (handlers: ToolHandlers, spans: DomainSpans | undefined): ToolHandlers => (spans ? new TracedToolHandlers(handlers, spans) : handlers);
