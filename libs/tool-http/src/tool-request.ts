import type { EffectiveTool, HttpTarget } from '@app/governance/contract';
import type { Method } from '@app/outbound';
import type { z } from 'zod';

export type Target = z.infer<typeof HttpTarget>;
export type CallOfTool = { readonly siteId: string; readonly runId: string; readonly callId: string };

/** What is sent for a call. `signed` is the text that the signature covers, after the timestamp: the body, or where there is none the path with its query. */
export type ToolRequest = { readonly url: string; readonly method: Method; readonly body?: string; readonly signed: string };

/**
 * POST, PUT and PATCH carry `{tool, arguments, siteId, runId, callId}` as JSON. GET and DELETE have no body: their arguments are added to the
 * query, texts, numbers and truth values as they are, anything else as JSON.
 */
export const toolRequest = ({ name }: Pick<EffectiveTool, 'name'>, { url: text, method = 'POST' }: Target, input: Readonly<Record<string, unknown>>, { siteId, runId, callId }: CallOfTool): ToolRequest => {
  if (method !== 'GET' && method !== 'DELETE') {
    const body = JSON.stringify({ tool: name, arguments: input, siteId, runId, callId });
    return { url: text, method, body, signed: body };
  }
  const url = new URL(text);
  url.hash = '';
  for (const [key, value] of Object.entries(input)) url.searchParams.set(key, typeof value === 'string' ? value : JSON.stringify(value));
  return { url: url.href, method, signed: `${url.pathname}${url.search}` };
};

/** The same for every attempt of a call, so that the tool can tell a repetition from a new call. */
export const idempotencyKey = ({ runId, callId }: CallOfTool): string => `${runId}/${callId}`;
