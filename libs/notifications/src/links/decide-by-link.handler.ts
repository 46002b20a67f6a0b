import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DecideApproval, reviewerOf } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { may, reject, type Outcome, type Principal } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { isUsable, principal } from '@app/sites/contract';
import { VetoStaging } from '@app/staging/contract';
import { Pool } from 'pg';
import { inbox } from '../inbox/inbox.projection';
import { DecideByLink, ReadLink, type DecidedByLink, type LinkedRequest } from './decide-by-link.command';
import { DecisionLinks, type LinkClaims } from './decision-links';

const over = () => reject('gone', 'GONE', 'This link does not work: it was changed, it has expired, or it was used.');
const refused = () => reject('forbidden', 'FORBIDDEN', 'Whoever this link was sent to may not decide this any more.');

@CommandHandler(DecideByLink)
export class DecideByLinkHandler implements ICommandHandler<DecideByLink> {
  constructor(private readonly links: DecisionLinks, private readonly executor: Executor, private readonly bus: Bus, private readonly pool: Pool) {}

  /** What the person may do counts as of now, and the rules are those of every other way to decide. A link that was refused can be used again. */
  async execute({ token, reason, context }: DecideByLink): Promise<Outcome<DecidedByLink>> {
    const claims = await this.links.verify(token);
    if (!claims) return over();
    const { linkId, siteId, action, subjectId } = claims;
    const who = await this.personOf(claims, context.now);
    if (!who || !mayUse(who, action)) return refused();
    if (!(await this.use(claims))) return over();
    const actor = { kind: who.kind, id: who.id, ...(who.userId !== undefined && { userId: who.userId }) };
    const command = { ...context, siteId, actor, commandId: `link:${linkId}`, repeatable: true };
    try {
      const done = await (action === 'veto'
        ? this.bus.send(new VetoStaging(subjectId, { ...(reason !== undefined && { reason }) }, command))
        : this.bus.send(new DecideApproval(subjectId, { decision: action === 'approve' ? 'approved' : 'rejected', ...(action === 'reject' && { reason: reason ?? 'Rejected by a link.' }) }, command, { ...reviewerOf(who, actor, 'link'), assurance: 'decision_link' })));
      if (done.ok) return { ok: true, data: { subjectId, action, status: done.data.status }, position: done.position };
      if (done.rejection.kind !== 'conflict') await this.release(linkId);
      return done;
    } catch (error) {
      await this.release(linkId);
      throw error;
    }
  }

  private async personOf({ principalId, siteId }: LinkClaims, now: Date): Promise<Principal | undefined> {
    const { state } = await this.executor.current(principal, principalId);
    return state.status === 'known' && isUsable(state, now) && state.principal.sites.includes(siteId) ? { ...state.principal, siteId } : undefined;
  }

  /** Of two who press at once, one gets to decide. */
  private async use({ linkId, expiresAt }: LinkClaims): Promise<boolean> {
    await this.pool.query('DELETE FROM decision_link_used WHERE expires_at < clock_timestamp() - interval \'1 day\'');
    return (await this.pool.query('INSERT INTO decision_link_used (link_id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING', [linkId, expiresAt])).rowCount === 1;
  }

  private release = (linkId: string) => this.pool.query('DELETE FROM decision_link_used WHERE link_id = $1', [linkId]);
}

const mayUse = (person: Principal, action: LinkClaims['action']): boolean =>
  action === 'veto' ? person.roles.includes('admin') || person.roles.includes('veto') : person.kind === 'human' && may(person, 'approvals:decide');

@QueryHandler(ReadLink)
export class ReadLinkHandler implements IQueryHandler<ReadLink> {
  constructor(private readonly links: DecisionLinks, private readonly reads: ReadModels, private readonly pool: Pool, private readonly store: EventStore) {}

  async execute({ token }: ReadLink): Promise<Outcome<LinkedRequest>> {
    const claims = await this.links.verify(token);
    const row = claims && (await this.reads.find(inbox, claims.siteId, claims.subjectId));
    if (!claims || !row) return over();
    const used = (await this.pool.query('SELECT 1 FROM decision_link_used WHERE link_id = $1', [claims.linkId])).rowCount === 1;
    return { ok: true, data: { ...row.notification, action: claims.action, used, linkExpiresAt: claims.expiresAt.toISOString() }, position: await this.store.head() };
  }
}
