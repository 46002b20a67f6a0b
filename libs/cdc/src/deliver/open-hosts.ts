import type { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';

/** The hosts that the site has opened by now, so that taking one away is in force at once. */
export const openHosts = async (executor: Pick<Executor, 'current'>, siteId: string): Promise<readonly string[]> => {
  const { state } = await executor.current(governance, siteId);
  return state.status === 'none' ? [] : state.settings.outbound.allowHosts;
};
