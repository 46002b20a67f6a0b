import { Controller, Param, Post, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAlsoAnswers, ApiAnswer, Caller, orProblem } from '@app/http';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CreatedGoal } from '../create-goal/create-goal.command';
import { RetryRun } from './retry-run.command';

const RetriedRun = CreatedGoal.extend({ retryOf: z.string() }).meta({ id: 'RetriedRun' });

@Controller('agent/runs')
export class RetryRunController {
  constructor(private readonly bus: Bus) {}

  @Post(':runId/retry')
  @ApiAnswer(RetriedRun, { status: 201 })
  @ApiAlsoAnswers(202, RetriedRun, 'The new run waits for a worker')
  async retry(@Param('runId') runId: string, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const retried = orProblem(await this.bus.send(new RetryRun(runId, caller.principal, caller.context)));
    if (retried.data.runStatus === 'queued') reply.status(202);
    return retried;
  }
}
