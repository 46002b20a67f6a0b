import { Body, Controller, Param, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, Caller, Clock, OneTimeAnswer, orProblem } from '@app/http';
import { missing, reject, type Outcome } from '@app/kernel';
import { GetRun } from '@app/runs/contract';
import type { z } from 'zod';
import { IssuedTokenView, IssueTokenBody } from './issue-token.schema';
import { RunTokens } from './run-tokens';

@Controller('agent/runs')
export class RunTokensController {
  constructor(
    private readonly bus: Bus,
    private readonly tokens: RunTokens,
    private readonly clock: Clock,
  ) {}

  /** For the owner of a run, to be handed to whatever drives it: in place of a key that can do more and lives longer. */
  @Post(':runId/token')
  @ApiAnswer(IssuedTokenView, { status: 201 })
  @OneTimeAnswer('token')
  async issue(@Param('runId') runId: string, @Body({ schema: IssueTokenBody }) { ttlSeconds }: z.infer<typeof IssueTokenBody>, @Caller() caller: Caller) {
    return orProblem(await this.issued(runId, ttlSeconds, caller));
  }

  private async issued(runId: string, ttlSeconds: number, { siteId, principal }: Caller): Promise<Outcome<z.infer<typeof IssuedTokenView>>> {
    const found = await this.bus.ask(new GetRun(runId, { siteId }));
    if (!found.ok) return found;
    const { envelope, status, stopReason } = found.data;
    if (envelope.principalId !== principal.id) return missing();
    if (stopReason !== null || status === 'failed') return reject('conflict', 'RUN_TERMINAL', 'This run has ended; a token would open nothing.', { runStatus: status, stopReason });
    return { ...found, data: { runId, ...(await this.tokens.issue({ principalId: principal.id, siteId, runId }, ttlSeconds, this.clock.now())) } };
  }
}
