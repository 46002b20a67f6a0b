import { covers, type Principal } from '@app/kernel';
import { isLive, type LiveRun, type Run } from '@app/runs/contract';

const DAY_MS = 86_400_000;

/**
 * The command that opens the n-th run of a key on a day, in UTC: the same in every process, so that all of them use one run. It begins like a
 * UUIDv7 of that day's midnight, which gives its time to the ids made from it.
 */
export const openingOf = (siteId: string, principalId: string, now: Date, nr: number): { readonly commandId: string; readonly repeatable: true } => {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const time = midnight.toString(16).padStart(12, '0');
  return { commandId: `${time.slice(0, 8)}-${time.slice(8)}-7000-mcp:${siteId}:${principalId}:${nr}`, repeatable: true };
};

/** A run that can take another call, and for which the key holds nothing that it did not hold when the run was opened. */
export const isUsableFor = (run: Run, { capabilities }: Pick<Principal, 'capabilities'>): run is LiveRun => {
  if (!isLive(run) || run.cancelRequested) return false;
  const { budget, capabilities: bounds } = run.envelope;
  const { toolCalls, runtimeMs, costUsd } = run.spent;
  return toolCalls < budget.maxToolCalls && runtimeMs < budget.timeoutMs && costUsd < budget.maxCostUsd && capabilities.every((one) => covers(bounds, one));
};

/** A name that an agent may have, made of the name of its key, which may be any text. */
export const agentNameOf = (name: string): string => {
  const allowed = name.replaceAll(/[^\p{L}\p{N} ._:@/-]/gu, '-').trim().slice(0, 100).trim();
  return allowed === '' ? 'mcp' : allowed;
};
