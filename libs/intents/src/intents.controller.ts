import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { Name } from '@app/content/contract';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, ProblemException, RequireCapability } from '@app/http';
import { z } from 'zod';
import { ChangeIntent } from './change-intent/change-intent.command';
import { CompiledIntent, CompileIntent, CompileIntentBody } from './compile/compile-intent.query';
import { CycleView } from './cycle/cycle.view';
import { RunCycle } from './cycle/run-cycle.command';
import { DeclareIntent } from './declare-intent/declare-intent.command';
import { DeletedIntent, DeleteIntent } from './delete-intent/delete-intent.command';
import { DRIFT_STATUSES, DriftView } from './drift-list/drift.view';
import { ListDrifts } from './drift-list/list-drifts.query';
import { GetIntent, ListIntents } from './intent-list/intent-queries.query';
import { IntentView } from './intent-list/intent.view';
import { ChangeIntentBody, DeclareIntentBody } from './intent.schema';
import { PauseIntent, PauseIntentBody } from './pause-intent/pause-intent.command';

const IntentsQuery = ListQuery.omit({ sort: true }).extend({ collection: Name.optional() });
const DriftsQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(DRIFT_STATUSES).optional() });

@Controller('agent/intents')
export class IntentsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('intents:read')
  @ApiList(IntentView)
  async list(@Query({ schema: IntentsQuery }) query: z.infer<typeof IntentsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    return listAnswer(await this.bus.ask(new ListIntents({ ...query, minPosition }, caller.context())));
  }

  @Post()
  @RequireCapability('intents:write')
  @ApiAnswer(IntentView, { status: 201 })
  async declare(@Body({ schema: DeclareIntentBody }) body: DeclareIntentBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DeclareIntent(body, caller.context())));
  }

  @Post('compile')
  @HttpCode(200)
  @RequireCapability('intents:read')
  @ApiAnswer(CompiledIntent)
  async compile(@Body({ schema: CompileIntentBody }) body: CompileIntentBody, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new CompileIntent(body, { siteId })));
  }

  @Get(':intentId')
  @RequireCapability('intents:read')
  @ApiAnswer(IntentView)
  async get(@Param('intentId') intentId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new GetIntent(intentId, caller.context())));
  }

  @Patch(':intentId')
  @RequireCapability('intents:write')
  @ApiAnswer(IntentView)
  async change(@Param('intentId') intentId: string, @Body({ schema: ChangeIntentBody }) body: ChangeIntentBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeIntent(intentId, body, caller.context())));
  }

  @Delete(':intentId')
  @RequireCapability('intents:write')
  @ApiAnswer(DeletedIntent)
  async delete(@Param('intentId') intentId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DeleteIntent(intentId, caller.context())));
  }

  @Post(':intentId/pause')
  @RequireCapability('intents:write')
  @ApiAnswer(IntentView)
  async pause(@Param('intentId') intentId: string, @Body({ schema: PauseIntentBody }) { reason }: z.infer<typeof PauseIntentBody>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PauseIntent(intentId, { to: 'pause', reason }, caller.context())));
  }

  @Post(':intentId/resume')
  @RequireCapability('intents:write')
  @ApiAnswer(IntentView)
  async resume(@Param('intentId') intentId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PauseIntent(intentId, { to: 'resume' }, caller.context())));
  }

  @Post(':intentId/scan')
  @RequireCapability('intents:write')
  @ApiAnswer(CycleView)
  async scan(@Param('intentId') intentId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RunCycle(intentId, caller.context())));
  }

  @Get(':intentId/drifts')
  @RequireCapability('intents:read')
  @ApiList(DriftView)
  async drifts(
    @Param('intentId') intentId: string,
    @Query({ schema: DriftsQuery }) query: z.infer<typeof DriftsQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
  ) {
    const found = await this.bus.ask(new ListDrifts(intentId, siteId, { ...query, minPosition }));
    if (!found.ok) throw ProblemException.of(found.rejection);
    return listAnswer(found.data);
  }
}
