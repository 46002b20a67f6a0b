import { accept, missing, type Decision } from '@app/kernel';
import { toolOf, type Governance, type GovernanceEvent } from '@app/governance/contract';

export const removeOverride = (state: Governance, name: string): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none' || !toolOf(state, name)) return missing();
  const { override, enabled } = state.tools[name]!;
  const overridden = !enabled || Object.keys(override).length > 0;
  return accept({ governance: overridden ? [{ type: 'ToolOverrideRemoved', data: { name } }] : [] });
};
