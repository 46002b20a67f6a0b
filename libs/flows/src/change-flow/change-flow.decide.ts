import type { Governance } from '@app/governance/contract';
import { accept, missing, type Context, type Decision, type Principal } from '@app/kernel';
import { changeApiKey, type PrincipalEvent, type PrincipalState } from '@app/sites/contract';
import { roleRefusal, unknownTools } from '../checked-flow.policy';
import type { FlowEvent } from '../flow.events';
import type { Flow, KnownFlow } from '../flow.state';
import { liveFlow } from '../live-flow.policy';
import type { ChangeFlowBody } from './change-flow.command';

/**
 * Whoever changes what a flow does must hold what the flow holds before and after: else somebody could put their own work into the hands of a
 * stronger flow.
 */
export const changeFlow = (
  states: { readonly flow: Flow; readonly principal: PrincipalState; readonly governance: Governance },
  body: ChangeFlowBody,
  changer: Principal,
  nextRunAt: (flow: Pick<KnownFlow, 'trigger' | 'enabled'>) => string | null,
  { siteId, now }: Pick<Context, 'siteId' | 'now'>,
): Decision<{ readonly flow: readonly FlowEvent[]; readonly principal: readonly PrincipalEvent[] }> => {
  const found = liveFlow(states.flow, siteId);
  if (!found.ok) return found;
  if (states.governance.status === 'none') return missing();
  const { flow } = found;
  const { name = flow.name, trigger = flow.trigger, operations = flow.operations, capabilities = flow.capabilities, enabled = flow.enabled } = body;
  const refused = roleRefusal(changer, flow.agentRole) ?? (body.operations && unknownTools(states.governance, operations));
  if (refused) return refused;
  const changed = changeApiKey(states.principal, { capabilities: [...capabilities] }, changer, siteId);
  if (!changed.ok) return changed;
  const held = [...new Set(capabilities)];
  const shape = { name, enabled, trigger, operations, capabilities: held, nextRunAt: nextRunAt({ trigger, enabled }), at: now.toISOString() };
  return accept({ flow: [{ type: 'FlowChanged', data: shape }], principal: changed.events.principal });
};
