import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, reject, type Outcome } from '@app/kernel';
import { run } from '@app/runs/contract';
import { artifact } from '../artifact.state';
import { artifactView, type ArtifactView } from '../artifact-list/artifact.view';
import { personOfActor } from '../person.policy';
import { NO_RUN, RunBudget } from '../run-budget';
import { keepable } from '../written-content';
import { ReviseArtifact } from './revise-artifact.command';
import { reviseArtifact } from './revise-artifact.decide';

/** No approval has this id, so its stream is empty. */
const NO_APPROVAL = 'none';

@CommandHandler(ReviseArtifact)
export class ReviseArtifactHandler implements ICommandHandler<ReviseArtifact> {
  constructor(
    private readonly executor: Executor,
    private readonly budget: RunBudget,
  ) {}

  /** Which question is open is known from the artifact; when that moved meanwhile, the append is prepared anew. */
  async execute({ artifactId, body, principal, context }: ReviseArtifact): Promise<Outcome<ArtifactView>> {
    const kept = keepable(body.content);
    if (!kept.ok) return kept;
    const { runId, sources = [], model } = body;
    const author = { principal, by: personOfActor(context.actor), runId: runId ?? null, sources, model: model ?? null };
    for (;;) {
      const known = (await this.executor.current(artifact, artifactId)).state;
      if (known.status === 'none' || known.siteId !== context.siteId) return missing();
      let moved = false;
      const refs = {
        artifact: { aggregate: artifact, id: artifactId },
        approval: { aggregate: approval, id: known.approvalId ?? NO_APPROVAL },
        run: { aggregate: run, id: runId ?? NO_RUN },
        governance: { aggregate: governance, id: context.siteId, guard: true },
      } as const;
      const done = await this.executor.execute(refs, { ...context, ...(runId !== undefined && { runId }) }, (states) => {
        moved = states.artifact.status !== 'none' && states.artifact.approvalId !== known.approvalId;
        return moved ? reject('conflict', 'CONFLICT', 'The artifact was submitted meanwhile.') : reviseArtifact(states, body, author, kept, context);
      });
      if (!done.ok && moved) continue;
      if (!done.ok) return this.budget.refused(done, runId, context);
      const { artifact: state } = done.states;
      return state.status === 'none' ? missing() : { ok: true, data: artifactView(state), position: done.position };
    }
  }
}
