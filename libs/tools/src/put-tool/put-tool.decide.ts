import { accept, missing, reject, type Decision } from '@app/kernel';
import { toolOf, type Governance, type GovernanceEvent } from '@app/governance/contract';
import type { PutToolBody } from './put-tool.command';

/** Schemas come with the reason why they cannot be enforced, if there is one: what cannot be enforced is refused here, never ignored later. */
export const putTool = (
  state: Governance,
  name: string,
  { enabled, ...override }: PutToolBody,
  schemaProblems: readonly { readonly pointer: string; readonly detail: string }[],
): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  const tool = toolOf(state, name);
  if (state.status === 'none' || !tool) return missing();
  if (schemaProblems.length > 0) {
    return reject('invalid', 'VALIDATION_FAILED', 'The schema cannot be enforced in full.', { errors: schemaProblems });
  }
  const before = state.tools[name]!.override as Readonly<Record<string, unknown>>;
  const changes = Object.entries(override).some(([key, value]) => JSON.stringify(before[key]) !== JSON.stringify(value));
  const events: GovernanceEvent[] = [];
  if (changes) events.push({ type: 'ToolOverridden', data: { name, override } });
  if (enabled !== undefined && enabled !== tool.enabled) events.push({ type: enabled ? 'ToolEnabled' : 'ToolDisabled', data: { name } });
  return accept({ governance: events });
};
