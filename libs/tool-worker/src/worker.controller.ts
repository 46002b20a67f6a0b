import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import { ApiAnswer, Caller, Clock, Draining, OneTimeAnswer, orProblem, RequireCapability } from '@app/http';
import { RunTokenIssuer } from '@app/run-tokens/contract';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { WorkerDesk, type TakenCall, type Told } from './worker-desk';
import { CompleteCallBody, FailCallBody, LeaseView, PollBody, SettledCallView, TakenCallView } from './worker.schema';

const TAKE = 'worker:take';
const TOKEN_SECONDS = 900;

/** For processes that carry out tools of kind `worker`. */
@Controller('agent/worker')
export class WorkerController {
  constructor(
    private readonly desk: WorkerDesk,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly draining: Draining,
    private readonly tokens: RunTokenIssuer,
  ) {}

  @Post('poll')
  @RequireCapability(TAKE)
  @ApiAnswer(TakenCallView)
  @OneTimeAnswer('arguments', 'token')
  @ApiResponse({ status: 204, description: 'No call came' })
  async poll(@Body({ schema: PollBody }) { tools, waitMs }: z.infer<typeof PollBody>, @Caller() caller: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const left = new AbortController();
    const leave = () => left.abort();
    reply.raw.once('close', leave);
    // It may have left while its key was looked at.
    if (reply.raw.closed) leave();
    const signal = AbortSignal.any([left.signal, this.draining.signal, AbortSignal.timeout(waitMs)]);
    const taken = await this.desk.take(workerOf(caller), tools, () => this.clock.now(), signal);
    reply.raw.off('close', leave);
    // A worker that has left would never know what it holds.
    if (taken.ok && taken.data !== null && left.signal.aborted) await this.desk.giveBack(workerOf(caller), taken.data.leaseId);
    if (!taken.ok) return this.told(taken);
    if (taken.data !== null) return this.told({ ok: true, data: { ...taken.data, ...(await this.tokenOf(taken.data, caller)) } });
    reply.status(204);
    return undefined;
  }

  @Post('calls/:leaseId/heartbeat')
  @RequireCapability(TAKE)
  @ApiAnswer(LeaseView)
  async heartbeat(@Param('leaseId') leaseId: string, @Caller() caller: Caller) {
    return this.told(await this.desk.renew(workerOf(caller), leaseId));
  }

  @Post('calls/:leaseId/complete')
  @RequireCapability(TAKE)
  @ApiAnswer(SettledCallView)
  async complete(@Param('leaseId') leaseId: string, @Body({ schema: CompleteCallBody }) { result }: z.infer<typeof CompleteCallBody>, @Caller() caller: Caller) {
    return this.told(await this.desk.settle(workerOf(caller), leaseId, 'executed', result));
  }

  @Post('calls/:leaseId/fail')
  @RequireCapability(TAKE)
  @ApiAnswer(SettledCallView)
  async fail(@Param('leaseId') leaseId: string, @Body({ schema: FailCallBody }) { error }: z.infer<typeof FailCallBody>, @Caller() caller: Caller) {
    return this.told(await this.desk.settle(workerOf(caller), leaseId, 'failed', error));
  }

  /** With it the worker can look at the run that it works for, as itself. */
  private async tokenOf({ runId }: TakenCall, { siteId, principal }: Caller) {
    const { token, expiresAt } = await this.tokens.issue({ principalId: principal.id, siteId, runId }, TOKEN_SECONDS, this.clock.now());
    return { token, tokenExpiresAt: expiresAt };
  }

  private async told<T>(told: Told<T>) {
    return orProblem(told.ok ? { ...told, position: await this.store.head() } : told);
  }
}

const workerOf = ({ siteId, principal }: Caller) => ({ siteId, id: principal.id });
