import { effectiveTool, ToolGovernance, type RegisteredTool } from '@app/governance/contract';
import { z } from 'zod';
import { toolView, ToolView } from '../tool-list/tool.view';

/** A tool as the door sees it, what the site overrode, and what the tool would be without that. */
export const ToolDetail = ToolView.extend({ override: z.object(ToolGovernance.shape), default: ToolView }).meta({ id: 'ToolDetail' });
export type ToolDetail = z.infer<typeof ToolDetail>;

export const toolDetail = (tool: RegisteredTool): ToolDetail => ({
  ...toolView(effectiveTool(tool)),
  override: tool.override,
  default: toolView(effectiveTool({ definition: tool.definition, override: {}, enabled: true })),
});
