import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reject, type Outcome } from '@app/kernel';
import { DeskExecutor } from '../change-file/desk-executor';
import { DeskOwners } from '../desk-owners';
import { capabilityOf, changeOf } from '../desk.schema';
import { CarryOutPlan, type CarriedOutPlan, type StepResult } from './carry-out-plan.command';
import { HeldByRun } from './held-by-run';

@CommandHandler(CarryOutPlan)
export class CarryOutPlanHandler implements ICommandHandler<CarryOutPlan> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly executor: DeskExecutor,
    private readonly held: HeldByRun,
  ) {}

  /** The first step that fails ends it. Each step has a command id of its own, so a plan that is carried out again does nothing twice. */
  async execute({ plan: { steps }, runId, context }: CarryOutPlan): Promise<Outcome<CarriedOutPlan>> {
    const found = await this.owners.of({ runId }, context);
    if (!found.ok) return found;
    const results: StepResult[] = [];
    let position = 0n;
    for (const [nr, step] of steps.entries()) {
      if (results.at(-1)?.status === 'failed') break;
      const { tool } = step;
      const change = changeOf(step);
      const wanted = capabilityOf(change);
      const done = (await this.held.lacks(runId, wanted, context.siteId, context.now))
        ? reject('forbidden', 'FORBIDDEN', `The run lacks the capability ${wanted}.`)
        : await this.executor.carryOutChange(change, found.owner, { ...context, commandId: `${context.commandId}:step-${nr}` });
      if (done.ok) {
        const { content: _content, ...file } = done.data;
        results.push({ tool, status: 'done', file });
        position = done.position;
      } else {
        const { code, detail } = done.rejection;
        results.push({ tool, status: 'failed', code, reason: detail });
      }
    }
    const done = results.filter(({ status }) => status === 'done').length;
    const left = steps.slice(results.length).map(({ tool }) => ({ tool, status: 'not_tried' as const }));
    return { ok: true, data: { status: done === steps.length ? 'completed' : 'failed', done, steps: [...results, ...left] }, position };
  }
}
