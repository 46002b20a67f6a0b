import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, Draining, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { ActivateConstitution, ActivatedConstitution } from '../activate-constitution/activate-constitution.command';
import { BacktestConstitution, BacktestConstitutionBody } from '../backtest-constitution/backtest-constitution.command';
import { ConstitutionBacktest } from '../backtest-constitution/backtest.view';
import { DraftConstitution, DraftConstitutionBody } from '../draft-constitution/draft-constitution.command';
import { DryRunBody, DryRunConstitution } from '../dry-run-constitution/dry-run-constitution.command';
import { DryRun } from '../dry-run-constitution/dry-run.view';
import { GetConstitution, ListConstitutions } from './constitution-queries.query';
import { CONSTITUTION_STATUSES, ConstitutionView } from './constitution.view';

const ConstitutionsQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(CONSTITUTION_STATUSES).optional() });

@Controller('agent/constitution')
export class ConstitutionsController {
  constructor(
    private readonly bus: Bus,
    private readonly draining: Draining,
  ) {}

  @Post()
  @RequireCapability('constitution:write')
  @ApiAnswer(ConstitutionView, { status: 201 })
  async draft(@Body({ schema: DraftConstitutionBody }) body: DraftConstitutionBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DraftConstitution(body, caller.context())));
  }

  @Get()
  @ApiList(ConstitutionView)
  async list(@Query({ schema: ConstitutionsQuery }) query: z.infer<typeof ConstitutionsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListConstitutions(siteId, { ...query, minPosition })));
  }

  @Get(':constitutionId')
  @ApiAnswer(ConstitutionView)
  async get(@Param('constitutionId') constitutionId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetConstitution(constitutionId, siteId)));
  }

  @Post(':constitutionId/dry-run')
  @RequireCapability('constitution:write')
  @ApiAnswer(DryRun)
  async dryRun(
    @Param('constitutionId') constitutionId: string,
    @Body({ schema: DryRunBody }) body: DryRunBody,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() caller: Caller,
  ) {
    return orProblem(await this.bus.send(new DryRunConstitution(constitutionId, body, caller.context(), minPosition)));
  }

  @Post(':constitutionId/backtest')
  @RequireCapability('constitution:write')
  @ApiAnswer(ConstitutionBacktest)
  async backtest(@Param('constitutionId') constitutionId: string, @Body({ schema: BacktestConstitutionBody }) body: BacktestConstitutionBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new BacktestConstitution(constitutionId, body, caller.context(), this.draining.signal)));
  }

  @Post(':constitutionId/activate')
  @RequireCapability('constitution:write')
  @ApiAnswer(ActivatedConstitution)
  async activate(@Param('constitutionId') constitutionId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ActivateConstitution(constitutionId, caller.context())));
  }
}
