import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import type { GovernanceEvent } from '@app/governance/contract';
import type { Recorded } from '@app/kernel';
import type { FreezeView } from './freeze.view';
import { ListFreezes } from './list-freezes.query';

const SHOWN = 200;

@QueryHandler(ListFreezes)
export class ListFreezesHandler implements IQueryHandler<ListFreezes> {
  constructor(private readonly store: EventStore) {}

  /** From the stream that the freezes are in: an emergency is no time to depend on a read model. */
  async execute({ siteId }: ListFreezes) {
    const freezes = new Map<string, FreezeView>();
    let position = 0n;
    for await (const recorded of this.store.read(`governance-${siteId}`)) {
      const event = recorded as Recorded<GovernanceEvent>;
      position = event.position;
      const { kind, id } = event.metadata.actor;
      if (event.type === 'ScopeFrozen') {
        const { freezeId, scope, targetId, reason } = event.data;
        freezes.set(freezeId, {
          freezeId, scope, targetId, reason, by: { kind, id }, frozenAt: event.occurredAt, effectiveAt: String(position), liftedBy: null, liftedAt: null, endedAt: null,
        });
      } else if (event.type === 'FreezeLifted') {
        const frozen = freezes.get(event.data.freezeId);
        if (frozen) freezes.set(frozen.freezeId, { ...frozen, liftedBy: { kind, id }, liftedAt: event.occurredAt, endedAt: String(position) });
      }
    }
    const history = [...freezes.values()].toReversed();
    return { active: history.filter(({ endedAt }) => endedAt === null), history: history.slice(0, SHOWN), position };
  }
}
