import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { run } from '@app/runs/contract';
import { artifact } from '../artifact.state';
import { artifactView, type ArtifactView } from '../artifact-list/artifact.view';
import { personOfActor } from '../person.policy';
import { NO_RUN, RunBudget } from '../run-budget';
import { keepable } from '../written-content';
import { DraftArtifact } from './draft-artifact.command';
import { draftArtifact } from './draft-artifact.decide';

@CommandHandler(DraftArtifact)
export class DraftArtifactHandler implements ICommandHandler<DraftArtifact> {
  constructor(
    private readonly executor: Executor,
    private readonly budget: RunBudget,
  ) {}

  async execute({ body, principal, context }: DraftArtifact): Promise<Outcome<ArtifactView>> {
    const kept = keepable(body.content);
    if (!kept.ok) return kept;
    const artifactId = idFor('art', context);
    const { runId, sources = [], model } = body;
    const refs = {
      artifact: { aggregate: artifact, id: artifactId },
      run: { aggregate: run, id: runId ?? NO_RUN },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const author = { principal, by: personOfActor(context.actor), runId: runId ?? null, sources, model: model ?? null };
    const done = await this.executor.execute(refs, { ...context, ...(runId !== undefined && { runId }) }, (states) => draftArtifact(states, body, author, { artifactId, ...kept }, context));
    if (!done.ok) return this.budget.refused(done, runId, context);
    const { artifact: state } = done.states;
    return state.status === 'none' ? missing() : { ok: true, data: artifactView(state), position: done.position };
  }
}
