import type { ToolDefinition } from '@app/governance/contract';

/** What decides about a tool: its definition, or the definition as its site has overridden it. */
export type Classed = Pick<ToolDefinition, 'name' | 'requiredCapabilities'> & { readonly dangerous?: boolean | undefined; readonly irreversible?: boolean | undefined; readonly isDangerous?: boolean | undefined };

/** They reach what is outside or take away for good, so no flag that somebody forgets or takes back makes them anything else. */
const ALWAYS: readonly string[] = ['deleteCollection', 'triggerDeployment', 'createCdcSubscription', 'replayCdcSubscription', 'deleteCdcSubscription'];

const changesSchema = (capability: string) => capability.startsWith('schema:') && capability !== 'schema:read';
/** `<server>.<tool>` is judged by the tool. */
const ownName = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** Whether a tool governs what others may do or takes away what they have: every dangerous one, every one that changes the schema, and every `delete*`. */
export const isControlPlane = ({ name, requiredCapabilities, dangerous, irreversible, isDangerous }: Classed): boolean =>
  ALWAYS.includes(name) || dangerous === true || irreversible === true || isDangerous === true || requiredCapabilities.some(changesSchema) || ownName(name).startsWith('delete');
