import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import type { GovernanceEvent } from '@app/governance/contract';
import { ListLevelChanges } from '../autonomy-view/autonomy-queries.query';
import type { LevelChangeView } from '../autonomy-view/grant.view';
import { levelChangeOf } from './level-change.policy';

@QueryHandler(ListLevelChanges)
export class ListLevelChangesHandler implements IQueryHandler<ListLevelChanges> {
  constructor(private readonly store: EventStore) {}

  /** One pass over the governance stream, which is read as fast as it can be folded; only one page of it is kept. */
  async execute({ siteId, page: { limit, before = Infinity, agentRole, capability } }: ListLevelChanges) {
    const kept: (LevelChangeView & { readonly version: number })[] = [];
    let position = 0n;
    for await (const event of this.store.read(`governance-${siteId}`)) {
      position = event.position;
      if (event.version >= before) continue;
      const told = levelChangeOf(event as unknown as GovernanceEvent);
      if (!told || (agentRole ?? told.agentRole) !== told.agentRole || (capability ?? told.capability) !== told.capability) continue;
      const { kind, id } = event.metadata.actor;
      kept.push({ ...told, version: event.version, position: String(event.position), at: event.occurredAt, by: { kind, id } });
      if (kept.length > limit + 1) kept.shift();
    }
    const newest = kept.toReversed();
    const shown = newest.slice(0, limit);
    return { rows: shown.map(({ version: _version, ...row }) => row), nextCursor: newest.length > limit ? String(shown.at(-1)!.version) : null, position };
  }
}
