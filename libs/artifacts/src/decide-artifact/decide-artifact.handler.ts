import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval, type DecidedApproval } from '@app/approvals/contract';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { artifact } from '../artifact.state';
import { DecideArtifact } from './decide-artifact.command';
import { decideArtifact } from './decide-artifact.decide';

@CommandHandler(DecideArtifact)
export class DecideArtifactHandler implements ICommandHandler<DecideArtifact> {
  constructor(private readonly executor: Executor) {}

  async execute({ approvalId, body, context, reviewer }: DecideArtifact): Promise<Outcome<DecidedApproval>> {
    const asked = (await this.executor.current(approval, approvalId)).state;
    const artifactId = asked.status === 'none' || asked.request.siteId !== context.siteId ? undefined : asked.request.arguments['artifactId'];
    if (typeof artifactId !== 'string') return missing();
    const refs = {
      artifact: { aggregate: artifact, id: artifactId },
      approval: { aggregate: approval, id: approvalId },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const done = await this.executor.execute(refs, context, (states) => decideArtifact(states, body, reviewer, context));
    if (!done.ok) return done;
    const { approval: state } = done.states;
    return state.status === 'none' ? missing() : { ok: true, data: { approvalId, status: state.status }, position: done.position };
  }
}
