import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { ToolDefinition, ToolGovernance, ToolName } from './tool.schema';

/** Everything an authorisation depends on lives in one stream per site, so that one guard covers it all. */
export const governanceEvents = eventFamily('governance', {
  SiteCreated: z.strictObject({ siteId: z.string(), name: z.string() }),
  ToolRegistered: z.strictObject({ tool: ToolDefinition }),
  ToolOverridden: z.strictObject({ name: ToolName, override: ToolGovernance }),
  ToolEnabled: z.strictObject({ name: ToolName }),
  ToolDisabled: z.strictObject({ name: ToolName, reason: z.string().optional() }),
});
export type GovernanceEvent = EventOf<typeof governanceEvents>;
