import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { withheld } from '@app/http';
import { missing, type Outcome } from '@app/kernel';
import { principal, type PrincipalState } from '../principal.state';
import { isUserId } from '../user.schema';
import { user } from '../user.state';
import { ChangeApiKey, IssueApiKey, RevokeApiKey, RotateApiKey, type ChangedKey, type IssuedKey } from './api-keys.command';
import { changeOwnedKey, issueOwnedKey, revokeOwnedKey, rotateApiKey, userOf } from './api-keys.decide';
import { hashOf, newKey } from './secret';

/** A repeated command finds the hash of the secret that its first attempt made, and nobody has that secret any more. */
const issuedKey = (id: string, key: string, state: PrincipalState): IssuedKey => {
  const kept = state.status === 'known' && state.key?.secretHash === hashOf(key);
  return kept ? { id, key } : withheld({ id, key }, 'key');
};

/** The stream of the person a key belongs to; none, and no state of it, when they are not one of the site's. */
const userRef = (userId: string | undefined) => (userId === undefined ? {} : { user: { aggregate: user, id: userId } }) as { readonly user: { readonly aggregate: typeof user; readonly id: string } };

/** Whose a key is never changes, so it may be read before the decision. */
const ownerOfKey = async (executor: Executor, keyId: string): Promise<string | undefined> => {
  const { state } = await executor.current(principal, keyId);
  const { userId } = state.status === 'known' ? state.principal : {};
  return userId !== undefined && isUserId(userId) ? userId : undefined;
};

@CommandHandler(IssueApiKey)
export class IssueApiKeyHandler implements ICommandHandler<IssueApiKey> {
  constructor(private readonly executor: Executor) {}

  async execute({ body, issuer, context }: IssueApiKey): Promise<Outcome<IssuedKey>> {
    const id = idFor('key', context);
    const key = newKey(id);
    const refs = { principal: { aggregate: principal, id }, issuer: { aggregate: principal, id: issuer.id, guard: true }, ...userRef(userOf(issuer, body)) } as const;
    const issued = await this.executor.execute(refs, context, (states) =>
      issueOwnedKey(states, body, issuer, { keyId: id, secretHash: hashOf(key), siteId: context.siteId }, context.now),
    );
    return issued.ok ? { ok: true, data: issuedKey(id, key, issued.states.principal), position: issued.position } : issued;
  }
}

@CommandHandler(ChangeApiKey)
export class ChangeApiKeyHandler implements ICommandHandler<ChangeApiKey> {
  constructor(private readonly executor: Executor) {}

  async execute({ keyId: id, body, issuer, context }: ChangeApiKey): Promise<Outcome<ChangedKey>> {
    const refs = { principal: { aggregate: principal, id }, ...userRef(await ownerOfKey(this.executor, id)) } as const;
    const changed = await this.executor.execute(refs, context, (states) => changeOwnedKey(states, body, issuer, context.siteId));
    if (!changed.ok) return changed;
    const known = changed.states.principal;
    if (known.status === 'none') return missing();
    const { capabilities, roles } = known.principal;
    return { ok: true, data: { id, capabilities: [...capabilities], roles: [...roles] }, position: changed.position };
  }
}

@CommandHandler(RotateApiKey)
export class RotateApiKeyHandler implements ICommandHandler<RotateApiKey> {
  constructor(private readonly executor: Executor) {}

  async execute({ keyId: id, issuer, context }: RotateApiKey): Promise<Outcome<IssuedKey>> {
    const key = newKey(id);
    const rotated = await this.executor.execute({ principal: { aggregate: principal, id } }, context, (states) =>
      rotateApiKey(states.principal, id, hashOf(key), issuer, context.siteId),
    );
    return rotated.ok ? { ok: true, data: issuedKey(id, key, rotated.states.principal), position: rotated.position } : rotated;
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(private readonly executor: Executor) {}

  async execute({ keyId: id, context }: RevokeApiKey): Promise<Outcome<{ readonly id: string; readonly revoked: true }>> {
    const refs = { principal: { aggregate: principal, id }, ...userRef(await ownerOfKey(this.executor, id)) };
    const revoked = await this.executor.execute(refs, context, (states) => revokeOwnedKey(states, id, context.siteId, context.actor.id, context.now));
    return revoked.ok ? { ok: true, data: { id, revoked: true }, position: revoked.position } : revoked;
  }
}
