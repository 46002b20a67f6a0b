import type { Governance } from '@app/governance/contract';
import { covers, type Principal } from '@app/kernel';
import { capabilitiesOfRole } from '@app/roles/contract';
import type { OpenedRun } from '@app/runs/contract';
import { capabilitiesOf, type KnownPrincipal } from '@app/sites/contract';

/**
 * A run hands on no more than it holds itself: what its key holds now, what the key held when the run was opened, and what its role allows, all
 * three. The roles of an admin are a person's and act in no run.
 */
export const narrowedPrincipal = (key: KnownPrincipal, { envelope, agentRole }: Pick<OpenedRun, 'envelope' | 'agentRole'>, site: Governance, now: Date): Principal => {
  const held = [capabilitiesOf(key, now), envelope.capabilities, capabilitiesOfRole(site, agentRole)];
  const capabilities = [...new Set(held.flat())].filter((capability) => held.every((some) => covers(some, capability)));
  return { ...key.principal, capabilities, roles: [], platformAdmin: false, ...(agentRole !== undefined && { agentRole }) };
};
