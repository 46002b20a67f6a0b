import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { Executor, idFor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, reject, type Outcome } from '@app/kernel';
import { digestOf } from '../artifact-hash';
import { artifact, currentOf } from '../artifact.state';
import { artifactView, type ArtifactView } from '../artifact-list/artifact.view';
import { PublishVerdicts } from '../publish-verdicts';
import { isStale } from '../stale-verdict.policy';
import { SubmitArtifact } from './submit-artifact.command';
import { submitArtifact } from './submit-artifact.decide';

/** No approval has this id, so its stream is empty. */
const NO_APPROVAL = 'none';

@CommandHandler(SubmitArtifact)
export class SubmitArtifactHandler implements ICommandHandler<SubmitArtifact> {
  constructor(
    private readonly executor: Executor,
    private readonly verdicts: PublishVerdicts,
  ) {}

  /** Judged outside of the append; when the artifact or the constitution moved meanwhile, it is judged anew. */
  async execute({ artifactId, body: { overrideReason }, context }: SubmitArtifact): Promise<Outcome<ArtifactView>> {
    const approvalId = idFor('appr', context);
    for (;;) {
      const known = (await this.executor.current(artifact, artifactId)).state;
      if (known.status === 'none' || known.siteId !== context.siteId) return missing();
      const judged = await this.verdicts.of(known, overrideReason);
      if (!judged.ok) return judged;
      const { version, hash, provenance } = currentOf(known);
      const actionDigest = digestOf({ site: context.siteId, artifactId, version, hash });
      let moved = false;
      const refs = {
        artifact: { aggregate: artifact, id: artifactId },
        approval: { aggregate: approval, id: approvalId },
        before: { aggregate: approval, id: known.approvalId ?? NO_APPROVAL, guard: true },
        governance: { aggregate: governance, id: context.siteId, guard: true },
      } as const;
      const { runId, goalId } = provenance;
      const done = await this.executor.execute(refs, { ...context, ...(runId !== null && { runId }), ...(goalId !== null && { goalId }) }, (states) => {
        moved = isStale(states, { version, constitutionHash: judged.verdict.constitutionHash }) || (states.artifact.status !== 'none' && states.artifact.approvalId !== known.approvalId);
        return moved ? reject('conflict', 'CONFLICT', 'The artifact or the constitution changed meanwhile.') : submitArtifact(states, judged.verdict, { approvalId, actionDigest, overrideReason }, context);
      });
      if (!done.ok && moved) continue;
      if (!done.ok) return done;
      const { artifact: state } = done.states;
      return state.status === 'none' ? missing() : { ok: true, data: artifactView(state), position: done.position };
    }
  }
}
