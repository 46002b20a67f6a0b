import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { accept, missing, type Outcome } from '@app/kernel';
import { artifact } from '../artifact.state';
import { artifactView, type ArtifactView } from '../artifact-list/artifact.view';
import { RollbackArtifact } from './rollback-artifact.command';
import { rollbackArtifact } from './rollback-artifact.decide';

@CommandHandler(RollbackArtifact)
export class RollbackArtifactHandler implements ICommandHandler<RollbackArtifact> {
  constructor(private readonly executor: Executor) {}

  async execute({ artifactId, body, context }: RollbackArtifact): Promise<Outcome<ArtifactView>> {
    const refs = { artifact: { aggregate: artifact, id: artifactId }, governance: { aggregate: governance, id: context.siteId, guard: true } } as const;
    const done = await this.executor.execute(refs, context, (states) => {
      const decision = rollbackArtifact(states, body, context);
      return decision.ok ? accept({ artifact: decision.events }) : decision;
    });
    if (!done.ok) return done;
    const { artifact: state } = done.states;
    return state.status === 'none' ? missing() : { ok: true, data: artifactView(state), position: done.position };
  }
}
