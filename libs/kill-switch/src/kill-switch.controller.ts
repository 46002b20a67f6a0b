import { Body, Controller, Get, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { answer, ApiAnswer, Caller, orProblem, ProblemException } from '@app/http';
import { EndRun } from '@app/runs/contract';
import { ListCallsInFlight } from './calls-in-flight/list-calls-in-flight.query';
import { FreezesView, KilledView, LiftedView } from './freeze-list/freeze.view';
import { ListFreezes } from './freeze-list/list-freezes.query';
import { FreezeScope, KillBody } from './freeze-scope/freeze-scope.command';
import { LiftBody, LiftFreeze } from './lift-freeze/lift-freeze.command';

@Controller('agent/kill-switch')
export class KillSwitchController {
  constructor(private readonly bus: Bus) {}

  @Post()
  @ApiAnswer(KilledView)
  async kill(@Body({ schema: KillBody }) body: KillBody, @Caller() caller: Caller) {
    const { scope } = body;
    const { freezeId, position } = scope === 'run' ? await this.cancel(body, caller) : await this.freeze({ ...body, scope }, caller);
    const targetId = scope === 'site' ? null : (body.targetId ?? null);
    const { calls, asOf } = await this.bus.ask(new ListCallsInFlight(caller.siteId, { scope, targetId }, position));
    return answer({ freezeId, scope, targetId, effectiveAt: String(position), inFlight: calls, inFlightAsOf: String(asOf) }, position);
  }

  @Post('lift')
  @ApiAnswer(LiftedView)
  async lift(@Body({ schema: LiftBody }) body: LiftBody, @Caller() caller: Caller) {
    const { data, position } = orProblem(await this.bus.send(new LiftFreeze(body, caller.principal, caller.context())));
    return { data: { ...data, lifted: true, effectiveAt: position }, position };
  }

  @Get()
  @ApiAnswer(FreezesView)
  async list(@Caller() { siteId }: Caller) {
    const { active, history, position } = await this.bus.ask(new ListFreezes(siteId));
    const running = await Promise.all(active.map((freeze) => this.bus.ask(new ListCallsInFlight(siteId, freeze, 0n))));
    return answer({ active: active.map((freeze, nr) => ({ ...freeze, inFlight: running[nr]!.calls })), history }, position);
  }

  private async freeze(body: FreezeScope['body'], caller: Caller) {
    const { data, position } = orProblem(await this.bus.send(new FreezeScope(body, caller.principal, caller.context())));
    return { freezeId: data.freezeId, position: BigInt(position) };
  }

  private async cancel({ targetId, reason }: KillBody, caller: Caller) {
    if (targetId === undefined) throw ProblemException.invalid([{ pointer: '/targetId', detail: 'Name the run to cancel' }]);
    const wish = { to: 'cancel', ...(reason !== undefined && { reason }) } as const;
    const { position } = orProblem(await this.bus.send(new EndRun(targetId, wish, caller.principal, caller.context())));
    return { freezeId: null, position: BigInt(position) };
  }
}
