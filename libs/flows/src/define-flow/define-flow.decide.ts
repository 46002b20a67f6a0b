import type { Governance } from '@app/governance/contract';
import { accept, missing, type Context, type Decision, type Principal } from '@app/kernel';
import { issueApiKey, type PrincipalEvent, type PrincipalState } from '@app/sites/contract';
import { roleRefusal, unknownTools } from '../checked-flow.policy';
import type { FlowEvent } from '../flow.events';
import type { Flow } from '../flow.state';
import type { DefineFlowBody } from './define-flow.command';

type Made = { readonly flowId: string; readonly principalId: string; readonly secretHash: string; readonly nextRunAt: string | null };

/** A flow and the principal it acts as come into being together; the rules for handing on capabilities are those of keys. */
export const defineFlow = (
  states: { readonly flow: Flow; readonly principal: PrincipalState; readonly governance: Governance },
  { name, trigger, operations, capabilities, agentRole, enabled }: DefineFlowBody,
  definer: Principal,
  { flowId, principalId, secretHash, nextRunAt }: Made,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<{ readonly flow: readonly FlowEvent[]; readonly principal: readonly PrincipalEvent[] }> => {
  if (states.governance.status === 'none') return missing();
  if (states.flow.status !== 'none') return accept({ flow: [], principal: [] });
  const refused = roleRefusal(definer, agentRole ?? null) ?? unknownTools(states.governance, operations);
  if (refused) return refused;
  const key = { name: `Flow ${name}`.slice(0, 200), kind: 'service', capabilities, roles: [], ...(agentRole !== undefined && { agentRole }) } as const;
  const issued = issueApiKey(states.principal, { ...key, capabilities: [...capabilities], roles: [] }, definer, { keyId: principalId, secretHash, siteId }, now);
  if (!issued.ok) return issued;
  const held = [...new Set(capabilities)];
  return accept({
    flow: [
      { type: 'FlowDefined', data: { flowId, siteId, principalId, agentRole: agentRole ?? null, name, enabled, trigger, operations, capabilities: held, nextRunAt, at: now.toISOString() } },
    ],
    principal: issued.events.principal,
  });
};
