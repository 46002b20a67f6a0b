import { setTimeout as sleep } from 'node:timers/promises';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { accept, missing, reject, type Context, type Outcome, type Principal } from '@app/kernel';
import { callsInFlight, isOpened, run } from '@app/runs/contract';
import { planUndo } from '../apply-artifact/plan-undo.policy';
import { SiteContent } from '../apply-artifact/site-content';
import { begunBy, undertake } from '../apply-artifact/undertaking';
import { UndertakenWork } from '../apply-artifact/undertaken-work';
import { artifact, workUnderWay, type KnownArtifact, type Work } from '../artifact.state';
import type { ArtifactView } from '../artifact-list/artifact.view';
import { RollbackArtifact } from './rollback-artifact.command';
import { rollbackArtifact, takebackOf, type Undoing } from './rollback-artifact.decide';

/** How long a call that is being made may take before the rollback is refused. */
const IN_FLIGHT_MS = 10_000;
const PAUSE_MS = 50;

@CommandHandler(RollbackArtifact)
export class RollbackArtifactHandler implements ICommandHandler<RollbackArtifact> {
  constructor(
    private readonly executor: Executor,
    private readonly content: SiteContent,
    private readonly work: UndertakenWork,
  ) {}

  /** Planned outside of the append; when the artifact moved meanwhile, it is planned anew. */
  async execute({ artifactId, body, principal, context }: RollbackArtifact): Promise<Outcome<ArtifactView>> {
    for (;;) {
      const { state: known, version } = await this.executor.current(artifact, artifactId);
      if (known.status === 'none' || known.siteId !== context.siteId) return missing();
      const underWay = workUnderWay(known);
      if (underWay?.does === 'rollback') return this.work.carryOut(artifactId, context.now);
      if (underWay && !(await this.stopped(underWay, context))) return reject('conflict', 'CONFLICT', 'A call of this publication is still being made; try again in a moment.', { runId: underWay.runId });
      const undoing = await this.plan(known, principal);
      let moved = false;
      const refs = { artifact: { aggregate: artifact, id: artifactId }, governance: { aggregate: governance, id: context.siteId, guard: true } } as const;
      const done = await this.executor.execute(refs, context, (states, versions) => {
        moved = versions.artifact !== version;
        if (moved) return reject('conflict', 'CONFLICT', 'The artifact changed meanwhile.');
        const decision = rollbackArtifact(states, body, undoing, context);
        return decision.ok ? accept({ artifact: begunBy(decision.events, undoing) }) : decision;
      });
      if (!done.ok && moved) continue;
      return done.ok ? this.work.carryOut(artifactId, context.now) : done;
    }
  }

  private async plan(known: KnownArtifact, { id }: Principal): Promise<Undoing | null> {
    const taken = takebackOf(known);
    if (!taken || taken.parts.length === 0) return null;
    const executed = await this.content.executed(taken.parts);
    const { steps, kept } = planUndo(executed, await this.content.undoFacts(known.siteId, executed));
    return { ...undertake(steps, id), kept };
  }

  /** The publication makes no further call, and its last one has an outcome. */
  private async stopped(work: Work, context: Context): Promise<boolean> {
    await this.work.worker.abandon(work, context);
    for (const until = performance.now() + IN_FLIGHT_MS; ; ) {
      const { state } = await this.executor.current(run, work.runId);
      if (!isOpened(state) || callsInFlight(state).length === 0) return true;
      if (performance.now() > until) return false;
      await sleep(PAUSE_MS);
    }
  }
}
