import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore, stateHash } from '@app/event-store';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { missing, type Outcome, type Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';
import type { LogReads } from '../log-reads';
import { asOf } from '../moment/decision.view';
import { streamAt, type StreamAt } from '../moment/stream-at';
import { GetGovernanceSnapshot } from './governance-snapshot.query';
import type { GovernanceSnapshot } from './governance-snapshot.view';

const HASH = /^sha256:[0-9a-f]{64}$/;
type Sealed = Recorded<Extract<RunEvent, { type: 'EnvelopeSealed' }>>;

@QueryHandler(GetGovernanceSnapshot)
export class GetGovernanceSnapshotHandler implements IQueryHandler<GetGovernanceSnapshot> {
  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  async execute({ hash, siteId }: GetGovernanceSnapshot): Promise<Outcome<GovernanceSnapshot>> {
    if (!HASH.test(hash)) return missing();
    const reproduced = await this.folded(hash, siteId);
    const found = reproduced ?? (await this.namedByRun(hash, siteId));
    if (!found) return missing();
    const data = { hash, reproduced: reproduced !== undefined, asOf: asOf(found), state: found.state as unknown as GovernanceSnapshot['state'] };
    return { ok: true, data, position: found.position };
  }

  /** The version of the rules that hashes to it. Hashing costs about a millisecond a version, so others get a turn in between. */
  private async folded(hash: string, siteId: string): Promise<StreamAt<Governance> | undefined> {
    let state = governance.initial;
    for await (const event of this.log.read(`${governance.category}-${siteId}`)) {
      state = governance.evolve(state, event as unknown as GovernanceEvent);
      await letOthersRun();
      const { version, position, occurredAt } = event;
      if (stateHash(state) === hash) return { state, version, position, occurredAt };
    }
    return undefined;
  }

  /** A run is opened only under the version that its append was guarded by: the rules at its position are those that it started under. */
  private async namedByRun(hash: string, siteId: string): Promise<StreamAt<Governance> | undefined> {
    for await (const page of this.log.readAll(0n, { filter: { siteId, types: ['EnvelopeSealed'] } })) {
      for (const { data, position } of page as unknown as readonly Sealed[]) {
        if (data.envelope.context.policySnapshotHash !== hash) continue;
        const at = await streamAt(this.log, governance, { id: siteId, siteId, moment: { position } });
        return at.ok ? at.data : undefined;
      }
    }
    return undefined;
  }
}
