import type { Actor } from './event';

/** Who is asking, as authenticated: never taken from a body or from what a model says. */
export type Principal = {
  readonly id: string;
  readonly kind: Actor['kind'];
  readonly name: string;
  readonly siteId: string;
  readonly sites: readonly string[];
  readonly capabilities: readonly string[];
  readonly roles: readonly ('admin' | 'veto')[];
  readonly agentRole?: string;
  /** The user the key belongs to; a key without one stands for itself. */
  readonly userId?: string;
  readonly platformAdmin: boolean;
  /** Came with a token that is good for this run and for nothing else. */
  readonly onlyRun?: string;
};

/** Whom a key stands for: two keys of one user are one person. */
export const personId = ({ id, userId }: { readonly id: string; readonly userId?: string | undefined }): string => userId ?? id;

/** `*` satisfies anything. */
export const covers = (capabilities: readonly string[], wanted: string): boolean => capabilities.includes('*') || capabilities.includes(wanted);

/** Admins may do everything on their site; others need the capability by name. */
export const may = (principal: Pick<Principal, 'capabilities' | 'roles'>, capability: string): boolean =>
  principal.roles.includes('admin') || covers(principal.capabilities, capability);
