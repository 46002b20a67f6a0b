import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { Clock } from '@app/http';
import { covers, type Rejection } from '@app/kernel';
import { capabilitiesOf, principal } from '@app/sites/contract';
import { DeskExecutor } from '../change-file/desk-executor';
import { DeskOwners } from '../desk-owners';
import { capabilityOf } from '../desk.schema';
import { RehearseChanges, type DeskProblem } from './rehearse-changes.query';

@QueryHandler(RehearseChanges)
export class RehearseChangesHandler implements IQueryHandler<RehearseChanges> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly desk: DeskExecutor,
    private readonly executor: Executor,
    private readonly clock: Clock,
  ) {}

  async execute({ changes, principalId, siteId, pathOf }: RehearseChanges): Promise<readonly DeskProblem[]> {
    const found = await this.owners.ofPrincipal(principalId, siteId);
    if (!found.ok) return problemsOf(found.rejection, pathOf(0));
    const now = this.clock.now();
    const held = capabilitiesOf((await this.executor.current(principal, principalId)).state, now);
    const beyond = changes.flatMap((change, nr) => (covers(held, capabilityOf(change)) ? [] : [{ path: pathOf(nr), message: `This needs the capability ${capabilityOf(change)}` }]));
    if (beyond.length > 0) return beyond;
    const refusal = await this.desk.rehearse(changes, found.owner, now);
    return refusal ? problemsOf(refusal.rejection, pathOf(refusal.nr)) : [];
  }
}

const problemsOf = ({ detail, facts }: Rejection, at: string): readonly DeskProblem[] => {
  const errors = (facts?.['errors'] ?? []) as readonly { readonly pointer: string; readonly detail: string }[];
  return errors.length === 0 ? [{ path: `${at}/fileId`, message: detail }] : errors.map(({ pointer, detail: message }) => ({ path: `${at}${pointer}`, message }));
};
