import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, NatsContext, Payload } from '@nestjs/microservices';
import { DecideApproval, DecideApprovalBody, reviewerOf } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { CreateGoal, CreateGoalBody } from '@app/goals';
import { NatsRequests } from '@app/nats';
import { RPC_PREFIX } from '@app/nats/contract';
import { RequestToolCall, RequestToolCallBody } from '@app/tool-calls/contract';

/** Commands over NATS. The same commands go the same way as from the routes of the API; only how they come in is another. */
@Controller()
export class NatsCommandsController {
  constructor(
    private readonly bus: Bus,
    private readonly requests: NatsRequests,
  ) {}

  @MessagePattern(`${RPC_PREFIX}createGoal`)
  createGoal(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ payload, context, schema: CreateGoalBody }, ({ body, caller }) => this.bus.send(new CreateGoal(body, caller.principal, caller.context)));
  }

  @MessagePattern(`${RPC_PREFIX}requestToolCall`)
  requestToolCall(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ payload, context, schema: RequestToolCallBody, ids: ['runId'], runToken: true }, ({ body, caller, ids: { runId } }) =>
      this.bus.send(new RequestToolCall(runId, body, caller.principal, caller.context())),
    );
  }

  @MessagePattern(`${RPC_PREFIX}decideApproval`)
  decideApproval(@Payload() payload: unknown, @Ctx() context: NatsContext) {
    return this.requests.answer({ payload, context, schema: DecideApprovalBody, ids: ['approvalId'], capability: 'approvals:decide' }, ({ body, caller, ids: { approvalId } }) => {
      const asked = caller.context();
      return this.bus.send(new DecideApproval(approvalId, body, asked, reviewerOf(caller.principal, asked.actor)));
    });
  }
}
