import type { ServerContext } from '@modelcontextprotocol/server';
import type { Report } from '../approval-status/waiting-calls';

/** Progress is the time that has been waited, in milliseconds of what was asked for: it only grows, and says nothing about a person's mood. */
export const progressOf = ({ notify }: Pick<ServerContext['mcpReq'], 'notify'>, progressToken: string | number | undefined, total: number): Report => {
  if (progressToken === undefined) return () => Promise.resolve();
  const started = performance.now();
  let last = -1;
  return async (message) => {
    const progress = Math.min(total, Math.max(last + 1, Math.round(performance.now() - started)));
    if (progress <= last) return;
    last = progress;
    // A client that has left is noticed by the signal of its request.
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } }).catch(() => undefined);
  };
};
