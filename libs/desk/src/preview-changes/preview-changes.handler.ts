import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Clock } from '@app/http';
import { DeskExecutor } from '../change-file/desk-executor';
import { DeskOwners } from '../desk-owners';
import { PreviewChanges, type DeskDifference } from './preview-changes.query';
import { differencesBetween } from './desk-differences.policy';

@QueryHandler(PreviewChanges)
export class PreviewChangesHandler implements IQueryHandler<PreviewChanges> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly desk: DeskExecutor,
    private readonly clock: Clock,
  ) {}

  /** Up to the first change that would not go through; of files that are somebody else's nothing is told. */
  async execute({ changes, principalId, siteId }: PreviewChanges): Promise<readonly DeskDifference[]> {
    const found = await this.owners.ofPrincipal(principalId, siteId);
    if (!found.ok) return [];
    const told: DeskDifference[] = [];
    await this.desk.rehearse(changes, found.owner, this.clock.now(), (before, after) => told.push(...differencesBetween(before, after)));
    return told;
  }
}
