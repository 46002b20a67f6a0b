import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { approval } from '@app/approvals/contract';
import { EventStore, Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, personId, type Outcome } from '@app/kernel';
import { principal } from '@app/sites/contract';
import { stagedView, type StagedView } from '../staged-list/staged.view';
import { staging } from '../staging.state';
import { approveStaging } from './approve-staging.decide';
import { CommitStagingNow } from './commit-staging.command';
import { StagingCommitter } from './staging-committer';

/**
 * First the person's word, in their name; then the commit, in the agent's. A crash between the two loses nothing: a change with a word is
 * committed at its deadline at the latest, and the word stays its cause.
 */
@CommandHandler(CommitStagingNow)
export class CommitStagingNowHandler implements ICommandHandler<CommitStagingNow> {
  private readonly committer: StagingCommitter;

  constructor(
    store: EventStore,
    private readonly executor: Executor,
  ) {
    this.committer = new StagingCommitter(store, executor);
  }

  async execute({ stagingId, context }: CommitStagingNow): Promise<Outcome<StagedView>> {
    const known = (await this.executor.current(staging, stagingId)).state;
    if (known.status === 'none' || known.change.siteId !== context.siteId) return missing();
    const author = (await this.executor.current(principal, known.change.author.id)).state;
    const owner = author.status === 'known' ? personId(author.principal) : known.change.author.id;
    const refs = {
      staging: { aggregate: staging, id: stagingId, guard: true },
      approval: { aggregate: approval, id: known.change.approvalId },
      governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const approved = await this.executor.execute(refs, context, (states) => approveStaging(states, owner, context));
    if (!approved.ok) return approved;
    const committed = await this.committer.commit(stagingId, context);
    return committed.ok ? { ok: true, data: stagedView(committed.data, context.now), position: committed.position } : committed;
  }
}
