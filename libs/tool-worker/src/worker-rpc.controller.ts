import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import { EventStore } from '@app/event-store';
import { Clock, type Caller } from '@app/http';
import type { Outcome } from '@app/kernel';
import { NatsRequests } from '@app/nats';
import { RPC_PREFIX } from '@app/nats/contract';
import { RunTokenIssuer } from '@app/run-tokens/contract';
import { z } from 'zod';
import { WorkerDesk, type TakenCall, type Told } from './worker-desk';
import { CompleteCallBody, FailCallBody, TakeCallBody } from './worker.schema';

const TAKE = { capability: 'worker:take' };
const TOKEN_SECONDS = 900;
const AT_ONCE = AbortSignal.abort();

/** For workers that take their calls over NATS: the desk is the one of those who poll. */
@Controller()
export class WorkerRpcController {
  constructor(
    private readonly desk: WorkerDesk,
    private readonly requests: NatsRequests,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly tokens: RunTokenIssuer,
  ) {}

  /** A repeat may get another call, or none: what is handed over is kept nowhere. */
  @MessagePattern(`${RPC_PREFIX}takeCall`)
  take(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ ...TAKE, payload, context, schema: TakeCallBody, repeatable: false }, async ({ body: { tools }, caller }) => {
      const taken = await this.desk.take(workerOf(caller), tools, () => this.clock.now(), AT_ONCE, true);
      return this.told(taken.ok && taken.data !== null ? { ok: true, data: { ...taken.data, ...(await this.tokenOf(taken.data, caller)) } } : taken);
    });
  }

  @MessagePattern(`${RPC_PREFIX}renewLease`)
  renew(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ ...TAKE, payload, context, schema: z.strictObject({}), ids: ['leaseId'], repeatable: false }, async ({ caller, ids: { leaseId } }) => this.told(await this.desk.renew(workerOf(caller), leaseId)));
  }

  @MessagePattern(`${RPC_PREFIX}completeCall`)
  complete(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ ...TAKE, payload, context, schema: CompleteCallBody, ids: ['leaseId'] }, async ({ body: { result }, caller, ids: { leaseId } }) => this.told(await this.desk.settle(workerOf(caller), leaseId, 'executed', result)));
  }

  @MessagePattern(`${RPC_PREFIX}failCall`)
  fail(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ ...TAKE, payload, context, schema: FailCallBody, ids: ['leaseId'] }, async ({ body: { error }, caller, ids: { leaseId } }) => this.told(await this.desk.settle(workerOf(caller), leaseId, 'failed', error)));
  }

  private async tokenOf({ runId }: TakenCall, { siteId, principal }: Caller) {
    const { token, expiresAt } = await this.tokens.issue({ principalId: principal.id, siteId, runId }, TOKEN_SECONDS, this.clock.now());
    return { token, tokenExpiresAt: expiresAt };
  }

  private async told<T>(told: Told<T>): Promise<Outcome<T>> {
    return told.ok ? { ...told, position: await this.store.head() } : told;
  }
}

const workerOf = ({ siteId, principal }: Caller) => ({ siteId, id: principal.id });
