import { effectiveTool, HttpTarget, McpTarget, ToolGovernance, WorkerTarget, type RegisteredTool } from '@app/governance/contract';
import { z } from 'zod';
import { toolView, ToolView } from '../tool-list/tool.view';

/**
 * A tool as the door sees it, what the site overrode, and what the tool would be without that. Where it lives is for those who may register
 * tools: many URLs are as good as a key.
 */
export const ToolDetail = ToolView.extend({
  override: z.object(ToolGovernance.shape),
  default: ToolView,
  http: HttpTarget.nullable(),
  worker: WorkerTarget.nullable(),
  mcp: McpTarget.nullable(),
}).meta({ id: 'ToolDetail' });
export type ToolDetail = z.infer<typeof ToolDetail>;

export const toolDetail = (tool: RegisteredTool, mayWrite: boolean): ToolDetail => {
  const { http = null, worker = null, mcp = null } = mayWrite ? tool.definition : {};
  return { ...toolView(effectiveTool(tool)), override: tool.override, default: toolView(effectiveTool({ definition: tool.definition, override: {}, enabled: true })), http, worker, mcp };
};
