import { Body, Controller, Post } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { answer, ApiAnswer, Caller, ProblemException, RequireCapability } from '@app/http';
import { DecideApproval } from '../decide-approval/decide-approval.command';
import { reviewerOf } from '../reviewer.policy';
import { DecidedApprovals, DecideApprovalsBody } from './decide-approvals.command';

@Controller('agent/approvals')
export class DecideApprovalsController {
  constructor(private readonly bus: Bus) {}

  /** Two decisions about one approval are two decisions: the first wins, the other is told so. */
  @Post('decide')
  @RequireCapability('approvals:decide')
  @ApiAnswer(DecidedApprovals)
  async decide(@Body({ schema: DecideApprovalsBody }) { decisions }: DecideApprovalsBody, @Caller() caller: Caller) {
    const outcomes = await Promise.all(
      decisions.map(async ({ approvalId, ...body }, n) => {
        const context = caller.context(`decide-${n}`);
        const outcome = await this.bus.send(new DecideApproval(approvalId, body, context, reviewerOf(caller.principal, context.actor, 'batch')));
        return { approvalId, outcome };
      }),
    );
    const position = outcomes.reduce((last, { outcome }) => (outcome.ok && outcome.position > last ? outcome.position : last), 0n);
    const results = outcomes.map(({ approvalId, outcome }) => {
      if (outcome.ok) return { approvalId, ok: true, decided: outcome.data };
      const { status, code, detail, facts } = ProblemException.of(outcome.rejection).problem;
      return { approvalId, ok: false, problem: { status, code, detail, ...(facts !== undefined && { facts }) } };
    });
    return answer({ results }, position);
  }
}
