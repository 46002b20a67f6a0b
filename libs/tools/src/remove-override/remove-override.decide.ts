import { accept, missing, type Decision } from '@app/kernel';
import { toolOf, type Governance, type GovernanceEvent } from '@app/governance/contract';

/** A skill of the server stays and loses what the site overrode; a tool of the site's own goes. */
export const removeOverride = (state: Governance, name: string): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none' || !toolOf(state, name)) return missing();
  const { definition, override, enabled } = state.tools[name]!;
  if (definition.kind !== 'skill') return accept({ governance: [{ type: 'ToolRemoved', data: { name } }] });
  const overridden = !enabled || Object.keys(override).length > 0;
  return accept({ governance: overridden ? [{ type: 'ToolOverrideRemoved', data: { name } }] : [] });
};
