import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { accept, missing, reject, type Outcome } from '@app/kernel';
import { artifact, currentOf } from '../artifact.state';
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
  ) {}

  /** Judged outside of the append; when the artifact or the constitution moved meanwhile, it is judged anew. */
  async execute({ artifactId, body: { overrideReason }, context }: PublishArtifact): Promise<Outcome<ArtifactView>> {
    for (;;) {
      const { state: known, position } = await this.executor.current(artifact, artifactId);
      if (known.status === 'none' || known.siteId !== context.siteId) return missing();
      if (known.status === 'published') return { ok: true, data: artifactView(known), position };
      const judged = await this.verdicts.of(known, overrideReason);
      if (!judged.ok) return judged;
      const { version, provenance: { runId, goalId } } = currentOf(known);
      let moved = false;
      const refs = { artifact: { aggregate: artifact, id: artifactId }, governance: { aggregate: governance, id: context.siteId, guard: true } } as const;
      const done = await this.executor.execute(refs, { ...context, ...(runId !== null && { runId }), ...(goalId !== null && { goalId }) }, (states) => {
        moved = isStale(states, { version, constitutionHash: judged.verdict.constitutionHash });
        if (moved) return reject('conflict', 'CONFLICT', 'The artifact or the constitution changed meanwhile.');
        const decision = publishArtifact(states, judged.verdict, overrideReason, context);
        return decision.ok ? accept({ artifact: decision.events }) : decision;
      });
      if (!done.ok && moved) continue;
      if (!done.ok) return done;
      const { artifact: state } = done.states;
      return state.status === 'none' ? missing() : { ok: true, data: artifactView(state), position: done.position };
    }
  }
}
