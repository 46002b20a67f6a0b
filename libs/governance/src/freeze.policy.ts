import type { Freeze, Site } from './governance.state';

/** What a call or a goal belongs to, as far as a freeze can reach it. */
export type FreezeTarget = { readonly agentRole?: string | null | undefined; readonly intentId?: string | null | undefined };

/** The freeze that refuses this work, if one does: that of the site before that of its role, and that before that of its intent. */
export const freezeOf = ({ freezes }: Pick<Site, 'freezes'>, { agentRole, intentId }: FreezeTarget): Freeze | undefined => {
  const all = Object.values(freezes);
  const on = (scope: Freeze['scope'], target: string | null | undefined) =>
    typeof target === 'string' ? all.find((freeze) => freeze.scope === scope && freeze.targetId === target) : undefined;
  return all.find(({ scope }) => scope === 'site') ?? on('role', agentRole) ?? on('intent', intentId);
};
