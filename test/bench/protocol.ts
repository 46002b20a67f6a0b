/** What the load and the servers of a run know of each other. */
export const ADMIN_KEY = 'hk_admin-of-the-benchmark';
export const SITE = 'site_demo';
/** Of all servers here, so that one reads what another has sealed. */
export const MASTER_KEY = 'be'.repeat(32);
export const TOOLS = { safe: 'noteSafely', dangerous: 'noteAtRisk' } as const;
export const NOTE = { note: 'The price of the trail shoe was checked against the list.' };

/** Where and as whom the load works: an agent asks, a person decides. The bare server needs neither key. */
export type Site = { readonly url: string; readonly agentKey: string; readonly reviewerKey: string };

export const callPath = (runId: string) => `/api/v1/agent/runs/${runId}/tool-calls`;
export const DIRECT_PATH = '/direct';
