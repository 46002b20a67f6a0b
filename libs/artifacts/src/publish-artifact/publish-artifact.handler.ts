import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { accept, missing, reject, type Outcome, type Principal, type Rejected } from '@app/kernel';
import { appliedContent, isApplied, planApplication } from '../apply-artifact/plan-application.policy';
import { SiteContent } from '../apply-artifact/site-content';
import { begunBy, undertake } from '../apply-artifact/undertaking';
import { UndertakenWork } from '../apply-artifact/undertaken-work';
import type { Undertaking } from '../apply-artifact/undertaking.policy';
import { artifact, currentOf, workUnderWay, type KnownArtifact } from '../artifact.state';
import { artifactView, type ArtifactView } from '../artifact-list/artifact.view';
import { PublishVerdicts } from '../publish-verdicts';
import { isStale } from '../stale-verdict.policy';
import { PublishArtifact } from './publish-artifact.command';
import { publishArtifact } from './publish-artifact.decide';

@CommandHandler(PublishArtifact)
export class PublishArtifactHandler implements ICommandHandler<PublishArtifact> {
  constructor(
    private readonly executor: Executor,
    private readonly verdicts: PublishVerdicts,
    private readonly content: SiteContent,
    private readonly work: UndertakenWork,
  ) {}

  /** Judged and planned outside of the append; when the artifact or the constitution moved meanwhile, it is done anew. */
  async execute({ artifactId, body: { overrideReason }, principal, context }: PublishArtifact): Promise<Outcome<ArtifactView>> {
    for (;;) {
      const { state: known, position } = await this.executor.current(artifact, artifactId);
      if (known.status === 'none' || known.siteId !== context.siteId) return missing();
      if (known.status === 'published') return { ok: true, data: artifactView(known), position };
      if (workUnderWay(known)?.does === 'publish') return this.work.carryOut(artifactId, context.now);
      const judged = await this.verdicts.of(known, overrideReason);
      if (!judged.ok) return judged;
      const planned = await this.plan(known, principal);
      const { version, provenance: { runId, goalId } } = currentOf(known);
      let moved = false;
      const refs = { artifact: { aggregate: artifact, id: artifactId }, governance: { aggregate: governance, id: context.siteId, guard: true } } as const;
      const done = await this.executor.execute(refs, { ...context, ...(runId !== null && { runId }), ...(goalId !== null && { goalId }) }, (states) => {
        moved = isStale(states, { version, constitutionHash: judged.verdict.constitutionHash }) || (states.artifact.status !== 'none' && states.artifact.work?.workId !== known.work?.workId);
        if (moved) return reject('conflict', 'CONFLICT', 'The artifact or the constitution changed meanwhile.');
        const decision = publishArtifact(states, judged.verdict, overrideReason, planned.ok ? planned.undertaking : null, context);
        if (!decision.ok || decision.events.length === 0) return decision.ok ? accept({ artifact: [] }) : decision;
        // What stands in the way of publishing at all is said before what stands in the way of carrying it out.
        return planned.ok ? accept({ artifact: begunBy(decision.events, planned.undertaking) }) : planned;
      });
      if (!done.ok && moved) continue;
      return done.ok ? this.work.carryOut(artifactId, context.now) : done;
    }
  }

  private async plan(known: KnownArtifact, { id }: Principal): Promise<{ readonly ok: true; readonly undertaking: Undertaking | null } | Rejected> {
    const { type, siteId, publications, unfinished } = known;
    if (!isApplied(type)) return { ok: true, undertaking: null };
    const applied = appliedContent(type, currentOf(known).content);
    if (!applied.ok) return applied;
    const { content } = applied;
    const names = [...content.collections.map(({ name }) => name), ...content.relations.map(({ collection }) => collection), ...content.items.map(({ collection }) => collection)];
    const planned = planApplication(content, await this.content.collections(siteId, names), await this.content.seeded([...publications.flatMap(({ parts }) => parts), ...unfinished]));
    return planned.ok ? { ok: true, undertaking: undertake(planned.steps, id) } : planned;
  }
}
