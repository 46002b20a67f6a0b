import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore, stateHash } from '@app/event-store';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { missing, type Outcome, type Recorded } from '@app/kernel';
import { LRUCache } from 'lru-cache';
import type { RunEvent } from '@app/runs/contract';
import type { LogReads } from '../log-reads';
import { asOf } from '../moment/decision.view';
import { streamAt, type StreamAt } from '../moment/stream-at';
import { GetGovernanceSnapshot } from './governance-snapshot.query';
import type { GovernanceSnapshot } from './governance-snapshot.view';

const HASH = /^sha256:[0-9a-f]{64}$/;
/** Of so many sites the hashes are kept. */
const MAX_SITES = 100;
type KnownHashes = { readonly state: Governance; readonly version: number; readonly versions: ReadonlyMap<string, number> };
type Sealed = Recorded<Extract<RunEvent, { type: 'EnvelopeSealed' }>>;

@QueryHandler(GetGovernanceSnapshot)
export class GetGovernanceSnapshotHandler implements IQueryHandler<GetGovernanceSnapshot> {
  private readonly known = new LRUCache<string, KnownHashes>({ max: MAX_SITES });

  constructor(@Inject(EventStore) private readonly log: LogReads) {}

  async execute({ hash, siteId }: GetGovernanceSnapshot): Promise<Outcome<GovernanceSnapshot>> {
    if (!HASH.test(hash)) return missing();
    const reproduced = await this.folded(hash, siteId);
    const found = reproduced ?? (await this.namedByRun(hash, siteId));
    if (!found) return missing();
    const data = { hash, reproduced: reproduced !== undefined, asOf: asOf(found), state: found.state as unknown as GovernanceSnapshot['state'] };
    return { ok: true, data, position: found.position };
  }

  /** The version of the rules that hashes to it. */
  private async folded(hash: string, siteId: string): Promise<StreamAt<Governance> | undefined> {
    const wanted = await this.versionOf(hash, siteId);
    if (wanted === undefined) return undefined;
    let state = governance.initial;
    for await (const event of this.log.read(`${governance.category}-${siteId}`)) {
      state = governance.evolve(state, event as unknown as GovernanceEvent);
      const { version, position, occurredAt } = event;
      if (version === wanted) return { state, version, position, occurredAt };
    }
    return undefined;
  }

  /** Hashing costs some milliseconds a version, so each version is hashed once in the life of the process, and others get a turn in between. */
  private async versionOf(hash: string, siteId: string): Promise<number | undefined> {
    const before = this.known.get(siteId) ?? { state: governance.initial, version: 0, versions: new Map<string, number>() };
    let { state, version } = before;
    const versions = new Map(before.versions);
    for await (const event of this.log.read(`${governance.category}-${siteId}`, version + 1)) {
      state = governance.evolve(state, event as unknown as GovernanceEvent);
      version = event.version;
      const found = stateHash(state);
      if (!versions.has(found)) versions.set(found, version);
      await letOthersRun();
    }
    this.known.set(siteId, { state, version, versions });
    return versions.get(hash);
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
