import { createHash } from 'node:crypto';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { canonicalJson, EventStore, Executor, idOfText } from '@app/event-store';
import { governance, type Site } from '@app/governance/contract';
import { missing, type Context, type Outcome } from '@app/kernel';
import { levelNow } from '../demotion.policy';
import { TrustEvidence } from '../evidence/evidence';
import { ListOpenIncidents } from '../incident-list/incident-queries.query';
import type { IncidentView } from '../incident-list/incident.view';
import { ListPromotions } from '../promotion-list/list-promotions.query';
import type { PromotionView } from '../promotion-list/promotion.view';
import { candidatesOf, evidenceOf, isEligible, type Candidate } from '../promotion.policy';
import { promotion } from '../promotion.state';
import { CheckPromotions, type CheckedPromotions } from './check-promotions.command';
import { proposePromotion, withdrawPromotion } from './propose-promotion.decide';

/** One proposal made or taken back, or none. */
type Written = { readonly id: string; readonly position: bigint };
/** Everything that one sweep looks at. */
type Sweep = { readonly site: Site; readonly open: readonly IncidentView[]; readonly context: Context; readonly head: bigint };

@CommandHandler(CheckPromotions)
export class CheckPromotionsHandler implements ICommandHandler<CheckPromotions> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly evidence: TrustEvidence,
    private readonly bus: Bus,
  ) {}

  async execute({ context }: CheckPromotions): Promise<Outcome<CheckedPromotions>> {
    const { siteId, now } = context;
    const head = await this.store.head();
    await this.evidence.reached(head);
    const { state: site } = await this.executor.current(governance, siteId);
    if (site.status === 'none') return missing();
    const open = await this.bus.ask(new ListOpenIncidents(siteId, head));
    const sweep: Sweep = { site, open, context, head };
    const candidates = candidatesOf(site, now);
    const proposed: Written[] = [];
    for (const candidate of candidates) {
      const last = await this.lastOf(candidate, sweep);
      if (last?.status !== 'pending') proposed.push(...(await this.propose(candidate, last, sweep)));
    }
    const withdrawn: Written[] = [];
    for (const pending of await this.pendingOf(siteId, head)) withdrawn.push(...(await this.withdrawIfGroundless(pending, sweep)));
    const idsOf = (written: readonly Written[]) => written.map(({ id }) => id);
    const data = { examined: candidates.length, proposed: idsOf(proposed), withdrawn: idsOf(withdrawn) };
    const positions = [...proposed, ...withdrawn].map(({ position }) => position);
    return { ok: true, data, position: positions.reduce((last, each) => (each > last ? each : last), positions[0] ?? head) };
  }

  /** The id follows from the proposal before: two sweeps at once mean the same proposal, and no second one while the first is undecided. */
  private async propose(candidate: Candidate, last: PromotionView | undefined, { site, open, context }: Sweep): Promise<readonly Written[]> {
    const { siteId } = context;
    const { agentRole, capability } = candidate;
    const key = { siteId, agentRole, capability };
    const required = site.settings.promotion;
    const openIncidents = this.evidence.openIncidents(open, key);
    const decisions = openIncidents > 0 ? { decided: 0, approved: 0 } : await this.evidence.decisions(key);
    if (!isEligible(evidenceOf(required.streak, decisions, openIncidents, required))) return [];
    const evidence = evidenceOf(await this.evidence.streak(key, Math.max(required.streak, 200)), decisions, openIncidents, required);
    if (!isEligible(evidence)) return [];
    const promotionId = idOfText('prom', `${siteId}|${agentRole}|${capability}|${last?.id ?? ''}`);
    const approvalId = idOfText('appr', promotionId);
    const actionDigest = createHash('sha256').update(canonicalJson({ site: siteId, promotionId, ...candidate, evidence })).digest('hex');
    const refs = {
      promotion: { aggregate: promotion, id: promotionId },
      approval: { aggregate: approval, id: approvalId },
      governance: { aggregate: governance, id: siteId, guard: true },
    } as const;
    const ids = { promotionId, approvalId, actionDigest };
    const done = await this.executor.execute(refs, { ...context, commandId: `${context.commandId}:${promotionId}` }, (states) =>
      proposePromotion(states, candidate, evidence, ids, context),
    );
    return done.ok && (done.events.promotion?.length ?? 0) > 0 ? [{ id: promotionId, position: done.position }] : [];
  }

  private async withdrawIfGroundless({ id, approvalId, agentRole, capability, from }: PromotionView, { site, open, context }: Sweep): Promise<readonly Written[]> {
    const moved = levelNow(site, agentRole, capability, context.now, 'lowest') !== from;
    const incidents = this.evidence.openIncidents(open, { siteId: context.siteId, agentRole, capability });
    if (!moved && incidents === 0) return [];
    const refs = { promotion: { aggregate: promotion, id }, approval: { aggregate: approval, id: approvalId } };
    const reason = moved ? 'the level has moved meanwhile' : 'an incident of this role is open';
    const done = await this.executor.execute(refs, { ...context, commandId: `${context.commandId}:${id}:withdraw` }, (states) => withdrawPromotion(states, reason, context.now));
    return done.ok && (done.events.promotion?.length ?? 0) > 0 ? [{ id, position: done.position }] : [];
  }

  private async lastOf({ agentRole, capability }: Candidate, { context: { siteId }, head }: Sweep): Promise<PromotionView | undefined> {
    return (await this.bus.ask(new ListPromotions(siteId, { agentRole, capability, limit: 1, minPosition: head }))).rows[0];
  }

  private async pendingOf(siteId: string, minPosition: bigint): Promise<readonly PromotionView[]> {
    return (await this.bus.ask(new ListPromotions(siteId, { status: 'pending', limit: 200, minPosition }))).rows;
  }
}
