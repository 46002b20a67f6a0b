import { Controller, Get, Param, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AcceptRunToken, ApiAnswer, ApiList, Caller, cursorParam, limitParam, listAnswer, ListQuery, MinPosition, orProblem, ProblemException, ReadQuery } from '@app/http';
import { z } from 'zod';
import { RUN_STATUSES } from '../budget.schema';
import { ListRuns } from '../run-list/list-runs.query';
import { RunRow } from '../run-list/run-row.view';
import { ListRunEvents } from '../run-events/list-run-events.query';
import { RunEventView, runEventView } from '../run-events/run-event.view';
import { GetRun } from './get-run.query';
import { RunView } from './run.view';

const text = z.string().min(1).max(200).optional();
const RunsQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(RUN_STATUSES).optional(), goalId: text, agentRole: text, agentName: text });
const EventsQuery = ReadQuery.extend({ limit: limitParam, cursor: cursorParam });

@Controller('agent/runs')
export class RunsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(RunRow)
  async list(@Query({ schema: RunsQuery }) query: z.infer<typeof RunsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListRuns(siteId, { ...query, minPosition })));
  }

  @Get(':runId')
  @AcceptRunToken()
  @ApiAnswer(RunView)
  async get(@Param('runId') runId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetRun(runId, { siteId })));
  }

  @Get(':runId/events')
  @AcceptRunToken()
  @ApiList(RunEventView)
  async events(@Param('runId') runId: string, @Query({ schema: EventsQuery }) { limit, cursor }: z.infer<typeof EventsQuery>, @Caller() { siteId }: Caller) {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw ProblemException.invalid([{ pointer: '/cursor', detail: 'nextCursor of the page before' }]);
    const page = orProblem(await this.bus.ask(new ListRunEvents(runId, siteId, { limit, after: cursor === undefined ? 0 : Number(cursor) }))).data;
    return listAnswer(page, runEventView);
  }
}
