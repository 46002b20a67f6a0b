import { effectiveTool, type RegisteredTool, type Site } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import { isControlPlane } from '@app/skills/contract';

/**
 * Skills alone: a tool of an upstream server or of a site's own handler governs nothing here, and waits for a person when it is dangerous. A
 * site that calls a skill safe opens it to nobody: what the program says of it counts as well as what the site says.
 */
export const isControlPlaneSkill = (tool: RegisteredTool): boolean =>
  tool.definition.kind === 'skill' && (isControlPlane(tool.definition) || isControlPlane(effectiveTool(tool)));

/** Whether a call is refused before the door is asked. */
export const isForbiddenSkill = (site: Site, name: string, { roles }: Pick<Principal, 'roles'>): boolean => {
  const tool = Object.hasOwn(site.tools, name) ? site.tools[name] : undefined;
  return tool !== undefined && !roles.includes('admin') && isControlPlaneSkill(tool);
};
