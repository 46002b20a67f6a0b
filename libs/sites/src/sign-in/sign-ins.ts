import { Injectable, Optional } from '@nestjs/common';
import { EventStore, Executor, newEventId } from '@app/event-store';
import { Clock, ProblemException } from '@app/http';
import type { Principal } from '@app/kernel';
import { SiteDirectory, type VerifiedIdentity } from '../contract';
import { isUsable, principal } from '../principal.state';
import { signInIdOf, userIdOf } from '../user-id';
import { Email } from '../user.schema';
import { user } from '../user.state';
import { linkIdentity } from './link-identity.decide';
import { RecentSites } from './recent-sites';

/**
 * Who an account of an issuer is here. Whatever the token says besides, what a person may do is on record with us: each request reads their principal from
 * the log, which ended in the same append if they were removed.
 */
@Injectable()
export class SignIns {
  private readonly recent = new RecentSites();

  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly clock: Clock,
    @Optional() private readonly directory?: SiteDirectory,
  ) {}

  /** Rejects with the problem that says why there is nobody: a token that proves itself has no claim to a site. */
  async principalOf({ issuer, subject, ...claimed }: VerifiedIdentity, siteId?: string): Promise<Principal> {
    const email = Email.safeParse(claimed.email);
    const identity = { issuer, subject, ...(email.success && { email: email.data }) };
    if (siteId === undefined) return this.onTheirSite(identity);
    const known = (await this.linked(identity, siteId)) ?? (await this.link(identity, siteId));
    if (!known) throw ProblemException.crossSite();
    return known;
  }

  private async onTheirSite(identity: VerifiedIdentity): Promise<Principal> {
    const now = this.clock.now().getTime();
    const recently = this.recent.of(identity, now);
    if (recently?.length === 0) throw nobody(identity);
    const warm = await this.linkedAmong(recently ?? [], identity);
    if (warm.length === 1) return warm[0]!;
    if (warm.length > 1) throw several(warm.map((one) => one.siteId));
    const sites = (await this.directory?.all()) ?? [];
    const linked = await this.linkedAmong(await this.existing(sites, (siteId) => `principal-${signInIdOf(siteId, identity)}`), identity);
    const found = linked.length > 0 ? linked.map((one) => one.siteId) : await this.invitedTo(identity, sites);
    this.recent.note(identity, found, now);
    if (found.length > 1) throw several(found);
    const only = linked[0] ?? (found[0] === undefined ? undefined : await this.link(identity, found[0]));
    if (!only) throw nobody(identity);
    return only;
  }

  private async linkedAmong(sites: readonly string[], identity: VerifiedIdentity): Promise<readonly Principal[]> {
    return (await Promise.all(sites.map((siteId) => this.linked(identity, siteId)))).filter((known) => known !== undefined);
  }

  private async linked(identity: VerifiedIdentity, siteId: string): Promise<Principal | undefined> {
    const { state } = await this.executor.current(principal, signInIdOf(siteId, identity));
    return state.status === 'known' && isUsable(state, this.clock.now()) ? state.principal : undefined;
  }

  private async invitedTo({ email }: VerifiedIdentity, sites: readonly string[]): Promise<readonly string[]> {
    if (email === undefined) return [];
    const known = await this.existing(sites, (siteId) => `user-${userIdOf(siteId, email)}`);
    const states = await Promise.all(known.map((siteId) => this.executor.current(user, userIdOf(siteId, email))));
    return known.filter((_siteId, nr) => ['invited', 'active'].includes(states[nr]!.state.status));
  }

  /** Ids are made from sites, so one round trip tells on which of them there is such a stream. */
  private async existing(sites: readonly string[], streamOn: (siteId: string) => string): Promise<readonly string[]> {
    const versions = await this.store.versions(sites.map(streamOn));
    return sites.filter((siteId) => (versions.get(streamOn(siteId)) ?? 0) > 0);
  }

  /** The first sign-in. Undefined where nobody was invited under the address; rejects where its person signs in with another account. */
  private async link(identity: VerifiedIdentity, siteId: string): Promise<Principal | undefined> {
    const { email, issuer, subject } = identity;
    if (email === undefined) return undefined;
    const [principalId, userId, now] = [signInIdOf(siteId, identity), userIdOf(siteId, email), this.clock.now()];
    const context = { actor: { kind: 'human' as const, id: principalId, userId }, siteId, now, correlationId: newEventId(), commandId: newEventId() };
    const refs = { principal: { aggregate: principal, id: principalId }, user: { aggregate: user, id: userId } };
    const done = await this.executor.execute(refs, context, (states) => linkIdentity(states, { issuer, subject }, { principalId, siteId, now }));
    if (!done.ok && done.rejection.kind === 'missing') return undefined;
    if (!done.ok) throw ProblemException.of(done.rejection);
    this.recent.forget(identity);
    return done.states.principal.status === 'known' ? done.states.principal.principal : undefined;
  }
}

const several = (sites: readonly string[]) => ProblemException.crossSite('You belong to several sites; name one of them as X-Site-Id.', { sites });

const nobody = ({ email }: VerifiedIdentity) => {
  const [reason, detail] =
    email === undefined
      ? ['email_not_verified', 'This account is linked to nobody here, and its token holds no e-mail address that the issuer has verified (email, email_verified: true).']
      : ['not_invited', 'Nobody was invited under the address of this account; ask an admin to do so.'];
  return new ProblemException(403, 'FORBIDDEN', detail, { facts: { reason }, kept: false });
};
