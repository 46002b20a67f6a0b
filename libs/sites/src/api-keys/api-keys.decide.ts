import { accept, may, missing, personId, reject, type Decision, type Principal } from '@app/kernel';
import type { PrincipalEvent } from '../principal.events';
import type { PrincipalState } from '../principal.state';
import type { ChangeApiKeyBody, IssueApiKeyBody } from './api-keys.command';

type Events = { readonly principal: readonly PrincipalEvent[] };

/** Nobody hands on more than they hold: an admin holds everything, others exactly their own capabilities; `*` and roles come from admins. */
const surplus = (issuer: Principal, capabilities: readonly string[], roles: readonly string[]) => {
  if (issuer.roles.includes('admin')) return undefined;
  const lacking = capabilities.filter((capability) => capability === '*' || !may(issuer, capability));
  const beyond = [...lacking, ...roles.filter((role) => !(issuer.roles as readonly string[]).includes(role))];
  return beyond.length === 0 ? undefined : reject('forbidden', 'FORBIDDEN', 'A key cannot be given more than its issuer holds.', { beyond });
};

/** Whose a new key is. Whoever is no admin hands out keys of their own only: a second key makes nobody a second person. */
const ownerOf = (issuer: Principal, named: string | undefined) => {
  if (issuer.roles.includes('admin')) return { ok: true as const, userId: named };
  const own = personId(issuer);
  return named === undefined || named === own ? { ok: true as const, userId: own } : reject('forbidden', 'FORBIDDEN', 'Only an admin issues a key for another user.', { userId: named });
};

export const issueApiKey = (
  state: PrincipalState,
  body: IssueApiKeyBody,
  issuer: Principal,
  key: { readonly keyId: string; readonly secretHash: string; readonly siteId: string; readonly platformAdmin?: boolean },
  now: Date,
): Decision<Events> => {
  const { name, kind, capabilities, agentRole = null, roles, expiresAt = null } = body;
  const refused = surplus(issuer, capabilities, roles);
  if (refused) return refused;
  const owner = ownerOf(issuer, body.userId);
  if (!owner.ok) return owner;
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime()) {
    return reject('invalid', 'VALIDATION_FAILED', 'The key would already have expired.', { errors: [{ pointer: '/expiresAt', detail: 'Must be in the future' }] });
  }
  if (state.status === 'known') return accept({ principal: [] });
  const { keyId, secretHash, siteId, platformAdmin = false } = key;
  return accept({
    principal: [
      { type: 'PrincipalCreated', data: { principalId: keyId, name, kind, siteId, capabilities: [...new Set(capabilities)], roles, agentRole, platformAdmin, ...(owner.userId !== undefined && { userId: owner.userId }) } },
      { type: 'ApiKeyIssued', data: { keyId, secretHash, expiresAt: expiresAt && new Date(expiresAt).toISOString() } },
    ],
  });
};

/** A new secret for the same principal; the old one stops working with this very event. */
export const rotateApiKey = (state: PrincipalState, keyId: string, secretHash: string, issuer: Principal, siteId: string): Decision<Events> => {
  const refused = unusable(state, issuer, siteId);
  return refused ?? accept({ principal: [{ type: 'ApiKeyRotated', data: { keyId, secretHash } }] });
};

/** Who changes a key must hold what it has and what it gets. Runs opened under the key feel it at their next call. */
export const changeApiKey = (state: PrincipalState, { capabilities: wanted, roles: named }: ChangeApiKeyBody, issuer: Principal, siteId: string): Decision<Events> => {
  const refused = unusable(state, issuer, siteId);
  if (refused || state.status === 'none') return refused ?? missing();
  const { principal } = state;
  const [capabilities, roles] = [[...new Set(wanted)], [...new Set(named ?? principal.roles)]];
  const tooMuch = surplus(issuer, capabilities, roles);
  if (tooMuch) return tooMuch;
  const unchanged = sameSet(capabilities, principal.capabilities) && sameSet(roles, principal.roles);
  return accept({ principal: unchanged ? [] : [{ type: 'CapabilitiesChanged', data: { capabilities, roles } }] });
};

const sameSet = (a: readonly string[], b: readonly string[]) => a.length === b.length && a.every((one) => b.includes(one));

export const revokeApiKey = (state: PrincipalState, keyId: string, siteId: string): Decision<Events> => {
  if (state.status === 'none' || state.principal.siteId !== siteId || !state.key) return missing();
  return accept({ principal: state.key.revoked ? [] : [{ type: 'ApiKeyRevoked', data: { keyId } }] });
};

const unusable = (state: PrincipalState, issuer: Principal, siteId: string) => {
  if (state.status === 'none' || state.principal.siteId !== siteId || !state.key) return missing();
  if (state.key.revoked) return reject('gone', 'GONE', 'This key has been revoked; issue a new one.');
  return surplus(issuer, state.principal.capabilities, state.principal.roles);
};
