import type { Principal } from '@app/kernel';
import { Authenticator } from '../principal';

/** An authenticator for tests: it knows the keys it was given. */
export class KnownKeys extends Authenticator {
  private readonly principals: ReadonlyMap<string, Principal>;

  constructor(principals: Readonly<Record<string, Principal>>) {
    super();
    this.principals = new Map(Object.entries(principals));
  }

  override authenticate = (key: string) => Promise.resolve(this.principals.get(key) ?? null);
}

/** A person on site `site_a` without any capability, except for what is given. */
export const principalOf = (overrides: Partial<Principal> = {}): Principal => ({
  id: 'key_ada', kind: 'human', name: 'Ada', siteId: 'site_a', sites: ['site_a'], capabilities: [], roles: [], platformAdmin: false, ...overrides,
});
