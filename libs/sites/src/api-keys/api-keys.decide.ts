import { accept, missing, personId, reject, type Decision, type Principal } from '@app/kernel';
import { surplus } from '../handing-on.policy';
import type { PrincipalEvent } from '../principal.events';
import { isUsable, type KnownPrincipal, type PrincipalState } from '../principal.state';
import { sameSet } from '../same-set.policy';
import { isUserId } from '../user.schema';
import type { UserEvent } from '../user.events';
import { keyIssued, keyRefusal, keyRevoked } from '../user-keys/user-keys.decide';
import type { User } from '../user.state';
import type { ChangeApiKeyBody, IssueApiKeyBody } from './api-keys.command';

type Events = { readonly principal: readonly PrincipalEvent[] };
/** `user` is the person that a key belongs to, when that is one of the site's. */
type Owned = { readonly principal: PrincipalState; readonly user?: User };
type OwnedEvents = Events & { readonly user?: readonly UserEvent[] };

/** Whose a new key is. Whoever is no admin hands out keys of their own only: a second key makes nobody a second person. */
export const ownerOf = (issuer: Principal, named: string | undefined) => {
  if (issuer.roles.includes('admin')) return { ok: true as const, userId: named };
  const own = personId(issuer);
  return named === undefined || named === own ? { ok: true as const, userId: own } : reject('forbidden', 'FORBIDDEN', 'Only an admin issues a key for another user.', { userId: named });
};

/** A role narrows what runs may do, so a key that is bound to one hands on no key without it. */
const boundTo = ({ agentRole, roles }: Principal) => (roles.includes('admin') ? null : (agentRole ?? null));
const roleRefusal = (issuer: Principal, agentRole: string | null) => {
  const bound = boundTo(issuer);
  return bound === null || bound === agentRole
    ? undefined
    : reject('forbidden', 'FORBIDDEN', `This key works as ${bound}, and so does every key that it issues.`, { agentRole: bound });
};

/** No key outlives the one that issued it, unless an admin says so. */
const expiryRefusal = ({ roles }: Principal, { key }: KnownPrincipal, expiresAt: string | undefined) => {
  const until = roles.includes('admin') ? null : (key?.expiresAt ?? null);
  return until === null || (expiresAt !== undefined && Date.parse(expiresAt) <= Date.parse(until))
    ? undefined
    : reject('forbidden', 'FORBIDDEN', `A key cannot outlive its issuer; give it an expiresAt of ${until} or before.`, { expiresAt: until });
};

export const issueApiKey = (
  state: PrincipalState,
  body: IssueApiKeyBody,
  issuer: Principal,
  key: { readonly keyId: string; readonly secretHash: string; readonly siteId: string; readonly platformAdmin?: boolean },
  now: Date,
): Decision<Events> => {
  const { name, kind, capabilities, agentRole = boundTo(issuer), roles, expiresAt = null } = body;
  const refused = surplus(issuer, capabilities, roles) ?? roleRefusal(issuer, agentRole);
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

/** The person of the site whose key this will be; undefined for a key that stands for itself, or for somebody the site does not know. */
export const userOf = (issuer: Principal, { userId }: IssueApiKeyBody): string | undefined => {
  const owner = ownerOf(issuer, userId);
  return owner.ok && owner.userId !== undefined && isUserId(owner.userId) ? owner.userId : undefined;
};

/** Issued by a key that works at this very moment, and known to the person it is for. */
export const issueOwnedKey = (
  { principal, issuer: issuing, user }: Owned & { readonly issuer: PrincipalState },
  body: IssueApiKeyBody,
  issuer: Principal,
  key: { readonly keyId: string; readonly secretHash: string; readonly siteId: string },
  now: Date,
): Decision<OwnedEvents> => {
  if (issuing.status === 'none' || !isUsable(issuing, now)) return reject('forbidden', 'FORBIDDEN', 'The key that issues this one is no longer valid.');
  const issued = issueApiKey(principal, body, issuer, key, now);
  if (!issued.ok) return issued;
  const outlives = expiryRefusal(issuer, issuing, body.expiresAt);
  if (outlives) return outlives;
  if (!user) return issued;
  const known = keyIssued(user, key.keyId, body, key.siteId, issuer.id, now);
  return known.ok ? accept({ ...issued.events, user: known.events }) : known;
};

/** A new secret for the same principal; the old one stops working with this very event. */
export const rotateApiKey = (state: PrincipalState, keyId: string, secretHash: string, issuer: Principal, siteId: string): Decision<Events> => {
  const refused = unusable(state, issuer, siteId);
  return refused ?? accept({ principal: [{ type: 'ApiKeyRotated', data: { keyId, secretHash } }] });
};

/** A key of a person of the site is bounded by them as well. */
export const changeOwnedKey = ({ principal, user }: Owned, body: ChangeApiKeyBody, issuer: Principal, siteId: string): Decision<Events> => {
  const changed = changeApiKey(principal, body, issuer, siteId);
  if (!changed.ok || !user || principal.status === 'none') return changed;
  return keyRefusal(user, { capabilities: body.capabilities, roles: body.roles ?? principal.principal.roles }, siteId) ?? changed;
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

export const revokeApiKey = (state: PrincipalState, keyId: string, siteId: string): Decision<Events> => {
  if (state.status === 'none' || state.principal.siteId !== siteId || !state.key) return missing();
  return accept({ principal: state.key.revoked ? [] : [{ type: 'ApiKeyRevoked', data: { keyId } }] });
};

export const revokeOwnedKey = ({ principal, user }: Owned, keyId: string, siteId: string, by: string, now: Date): Decision<OwnedEvents> => {
  const revoked = revokeApiKey(principal, keyId, siteId);
  return revoked.ok && user ? accept({ ...revoked.events, user: keyRevoked(user, keyId, by, now) }) : revoked;
};

const unusable = (state: PrincipalState, issuer: Principal, siteId: string) => {
  if (state.status === 'none' || state.principal.siteId !== siteId || !state.key) return missing();
  if (state.key.revoked) return reject('gone', 'GONE', 'This key has been revoked; issue a new one.');
  return surplus(issuer, state.principal.capabilities, state.principal.roles);
};
