import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { missing, reject, type Outcome, type Recorded } from '@app/kernel';
import { constitutionHash } from '../constitution-hash';
import { constitution } from '../constitution.state';
import { ActivateConstitution, type ActivatedConstitution } from './activate-constitution.command';
import { activateConstitution } from './activate-constitution.decide';

/** No constitution has this id, so its stream is empty. */
const NONE = 'none';

@CommandHandler(ActivateConstitution)
export class ActivateConstitutionHandler implements ICommandHandler<ActivateConstitution> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
  ) {}

  /** Which version gets archived is known only from the governance stream; when that moved meanwhile, the append is prepared anew. */
  async execute({ constitutionId, context }: ActivateConstitution): Promise<Outcome<ActivatedConstitution>> {
    for (;;) {
      const site = (await this.executor.current(governance, context.siteId)).state;
      const inForce = (site.status === 'site' ? site.constitution?.constitutionId : undefined) ?? NONE;
      const previousId = inForce === constitutionId ? NONE : inForce;
      let moved = false;
      const refs = {
        governance: { aggregate: governance, id: context.siteId },
        constitution: { aggregate: constitution, id: constitutionId, guard: true },
        previous: { aggregate: constitution, id: previousId },
      } as const;
      const activated = await this.executor.execute(refs, context, (states) => {
        const now = (states.governance.status === 'site' ? states.governance.constitution?.constitutionId : undefined) ?? NONE;
        moved = now !== inForce && now !== constitutionId;
        return moved ? reject('conflict', 'CONFLICT', 'Another version was activated meanwhile.') : activateConstitution(states, context.siteId, constitutionHash);
      });
      if (activated.ok) return this.activation(constitutionId, context.siteId, activated.position);
      if (!moved) return activated;
    }
  }

  /** As recorded: a repeat answers like the first time. */
  private async activation(constitutionId: string, siteId: string, position: bigint): Promise<Outcome<ActivatedConstitution>> {
    let answer: Outcome<ActivatedConstitution> = missing();
    for await (const event of this.store.read(`governance-${siteId}`) as AsyncIterable<Recorded<GovernanceEvent>>) {
      if (event.type === 'ConstitutionActivated' && event.data.constitutionId === constitutionId) {
        answer = { ok: true, data: { ...event.data, status: 'active' }, position };
      }
    }
    return answer;
  }
}
