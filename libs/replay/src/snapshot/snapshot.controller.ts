import { Controller, Get, Param } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, orProblem, RequireCapability } from '@app/http';
import { GetGovernanceSnapshot } from './governance-snapshot.query';
import { GovernanceSnapshot } from './governance-snapshot.view';

@Controller('agent/governance/snapshots')
@RequireCapability('audit:read')
export class SnapshotController {
  constructor(private readonly bus: Bus) {}

  @Get(':hash')
  @ApiAnswer(GovernanceSnapshot)
  async get(@Param('hash') hash: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetGovernanceSnapshot(hash, siteId)));
  }
}
