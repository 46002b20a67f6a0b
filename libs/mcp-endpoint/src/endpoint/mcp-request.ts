import type { Site } from '@app/governance/contract';
import type { Caller } from '@app/http';

/** A request that was let in: who asks, the rules of the site as they were then, and the run that a header names. */
export type McpRequest = { readonly caller: Caller; readonly site: Site; readonly runId: string | undefined };
