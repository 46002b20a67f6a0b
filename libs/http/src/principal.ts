/** Who sent a request, as the authenticator knows it. `siteId` is the site used when the request names none; `sites` holds every allowed one. */
export type Principal = {
  readonly id: string;
  readonly kind: 'human' | 'agent' | 'service';
  readonly name: string;
  readonly siteId: string;
  readonly sites: readonly string[];
  readonly capabilities: readonly string[];
  readonly roles: readonly ('admin' | 'veto')[];
  /** The agent role the principal acts under; recorded as the actor's role. */
  readonly agentRole?: string;
  readonly platformAdmin: boolean;
};

/** Turns a key into a principal. The capability that keeps the keys implements it. */
export abstract class Authenticator {
  /** `null` for a key that is unknown, expired or revoked; rejects only when the keys cannot be read at all. */
  abstract authenticate(key: string): Promise<Principal | null>;
}

type Authority = Pick<Principal, 'capabilities' | 'roles'>;

export const isAdmin = ({ roles }: Authority): boolean => roles.includes('admin');

/** Whether a principal may use a capability: it holds it, holds `*`, or is an admin of the site. */
export const holds = (principal: Authority, capability: string): boolean =>
  isAdmin(principal) || principal.capabilities.includes(capability) || principal.capabilities.includes('*');
