import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

/** What became of requests of one principal that never reached the door. Its stream is `mcp-<principalId>`. */
export const mcpEvents = eventFamily('mcp', {
  /** Somebody who is no admin called a skill of the control plane. No arguments: they were looked at by nobody, and may hold secrets. */
  ControlPlaneSkillDenied: z.strictObject({
    principalId: z.string(),
    principalKind: z.enum(['human', 'agent', 'service']),
    tool: z.string(),
    /** The run that the request named. */
    runId: z.string().nullable(),
    at: z.string(),
  }),
});
export type McpEvent = EventOf<typeof mcpEvents>;
