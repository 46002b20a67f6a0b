import type { EffectiveTool } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { ToolHandlers, type CallContext, type CallTarget, type Change } from './contract';

type Kind = EffectiveTool['kind'];

/** One set of handlers per kind of tool. A tool of kind `client` needs none: its agent runs it, once the door has said yes. */
export class HandlersByKind extends ToolHandlers {
  constructor(private readonly kinds: Readonly<Partial<Record<Kind, ToolHandlers>>>) {
    super();
  }

  override handles = (tool: EffectiveTool): boolean => tool.kind === 'client' || (this.kinds[tool.kind]?.handles(tool) ?? false);

  override run(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown> {
    const handlers = this.kinds[tool.kind];
    return handlers ? handlers.run(tool, input, call) : Promise.reject(new Error(`No handler of this server runs tools of kind ${tool.kind}`));
  }

  override preview = (tool: EffectiveTool, input: Readonly<Record<string, unknown>>, context: Context): Promise<readonly Change[]> =>
    this.kinds[tool.kind]?.preview(tool, input, context) ?? Promise.resolve([]);

  override target = (tool: EffectiveTool, input: Readonly<Record<string, unknown>>, siteId: string, principalId: string): Promise<CallTarget | null> =>
    this.kinds[tool.kind]?.target(tool, input, siteId, principalId) ?? Promise.resolve(null);

  override writes = (tool: EffectiveTool, input: Readonly<Record<string, unknown>>): number => this.kinds[tool.kind]?.writes(tool, input) ?? 1;
}
