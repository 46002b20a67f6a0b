import { Injectable } from '@nestjs/common';
import { constitution, evaluatePublish } from '@app/constitution/contract';
import { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { currentOf, type KnownArtifact } from './artifact.state';

/** Asks the constitution that a site has in force at this moment. */
@Injectable()
export class PublishVerdicts {
  constructor(private readonly executor: Executor) {}

  async of(state: KnownArtifact, overrideReason: string | undefined) {
    const site = (await this.executor.current(governance, state.siteId)).state;
    const inForce = site.status === 'site' ? site.constitution : null;
    const known = inForce && (await this.executor.current(constitution, inForce.constitutionId)).state;
    const active = known && known.status !== 'none' ? known : null;
    return evaluatePublish({ artifactType: state.type, data: currentOf(state).content }, active, { matches: matchesPattern }, overrideReason);
  }
}
