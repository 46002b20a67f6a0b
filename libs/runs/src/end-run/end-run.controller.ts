import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AcceptRunToken, ApiAnswer, Caller, orProblem } from '@app/http';
import { z } from 'zod';
import { RUN_STATUSES } from '../budget.schema';
import { CancelRunBody, CompleteRunBody, EndRun, FailRunBody, type Wish } from './end-run.command';

const EndedRunView = z.object({ runId: z.string(), goalId: z.string(), status: z.enum(RUN_STATUSES), stopReason: z.string().nullable() }).meta({ id: 'EndedRun' });

@Controller('agent/runs')
export class EndRunController {
  constructor(private readonly bus: Bus) {}

  @Post(':runId/complete')
  @AcceptRunToken()
  @ApiAnswer(EndedRunView)
  complete(@Param('runId') runId: string, @Body({ schema: CompleteRunBody }) body: z.infer<typeof CompleteRunBody>, @Caller() caller: Caller) {
    return this.end(runId, { to: 'complete', ...body }, caller);
  }

  @Post(':runId/fail')
  @AcceptRunToken()
  @ApiAnswer(EndedRunView)
  fail(@Param('runId') runId: string, @Body({ schema: FailRunBody }) body: z.infer<typeof FailRunBody>, @Caller() caller: Caller) {
    return this.end(runId, { to: 'fail', ...body }, caller);
  }

  @Post(':runId/cancel')
  @ApiAnswer(EndedRunView)
  cancel(@Param('runId') runId: string, @Body({ schema: CancelRunBody }) body: z.infer<typeof CancelRunBody>, @Caller() caller: Caller) {
    return this.end(runId, { to: 'cancel', ...body }, caller);
  }

  private async end(runId: string, wish: Wish, caller: Caller) {
    return orProblem(await this.bus.send(new EndRun(runId, wish, caller.principal, caller.context())));
  }
}
