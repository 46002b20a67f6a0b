import { Injectable, Optional } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { Authenticator, Clock } from '@app/http';
import type { Principal } from '@app/kernel';
import { KeyUsage } from './api-keys/key-usage';
import { keyIdOf, matches } from './api-keys/secret';
import { IdentityVerifier, RunTokenVerifier } from './contract';
import { isUsable, principal } from './principal.state';
import { SignIns } from './sign-in/sign-ins';

/** Compared with when there is no such key, so that an unknown id costs what a wrong secret costs. */
const NO_HASH = '0'.repeat(64);

@Injectable()
export class KeyAuthenticator extends Authenticator {
  constructor(
    private readonly executor: Executor,
    private readonly usage: KeyUsage,
    private readonly clock: Clock,
    private readonly signIns: SignIns,
    @Optional() private readonly tokens?: RunTokenVerifier,
    @Optional() private readonly identities?: IdentityVerifier,
  ) {
    super();
  }

  /** The principal's state is proven current against the log on every request: a key revoked in any process is refused by the next one. */
  override async authenticate(key: string, siteId?: string): Promise<Principal | null> {
    const keyId = keyIdOf(key);
    if (keyId === undefined) return (await this.bearer(key)) ?? this.person(key, siteId);
    const { state } = await this.executor.current(principal, keyId);
    const known = state.status === 'known' ? state : undefined;
    const right = matches(key, known?.key?.secretHash ?? NO_HASH);
    const now = this.clock.now();
    if (!known || !right || !isUsable(known, now)) return null;
    this.usage.note(keyId, now);
    return known.principal;
  }

  /** Whoever signed in with an issuer is the person that their account is linked to, with what that person may do. */
  private async person(token: string, siteId: string | undefined): Promise<Principal | null> {
    const identity = await this.identities?.verify(token, this.clock.now());
    return identity ? this.signIns.principalOf(identity, siteId) : null;
  }

  /** The bearer of a token is who it was issued to, for as long as that key works, and holds nothing beside its run. */
  private async bearer(token: string): Promise<Principal | null> {
    const now = this.clock.now();
    const verified = await this.tokens?.verify(token, now);
    if (!verified) return null;
    const { state } = await this.executor.current(principal, verified.principalId);
    if (state.status !== 'known' || !isUsable(state, now) || !state.principal.sites.includes(verified.siteId)) return null;
    const { siteId, runId: onlyRun } = verified;
    return { ...state.principal, siteId, sites: [siteId], capabilities: [], roles: [], platformAdmin: false, onlyRun };
  }
}
