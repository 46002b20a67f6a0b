import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { accept, missing, reject, type Outcome } from '@app/kernel';
import { constitution } from '../constitution.state';
import { Constitutions } from '../constitutions';
import { BacktestConstitution } from './backtest-constitution.command';
import type { ConstitutionBacktest, ConstitutionDifference } from './backtest.view';
import { ContentBacktest } from './content-backtest';

const MAX_DIFFERENCES = 1_000;
const boundAt = (position: string | undefined) => (position === undefined ? undefined : { position: BigInt(position) });

@CommandHandler(BacktestConstitution)
export class BacktestConstitutionHandler implements ICommandHandler<BacktestConstitution> {
  constructor(
    private readonly executor: Executor,
    private readonly constitutions: Constitutions,
    private readonly content: ContentBacktest,
  ) {}

  /** Judges the writes of the range under the draft, and records that it was done. */
  async execute({ constitutionId, body, context, signal }: BacktestConstitution): Promise<Outcome<ConstitutionBacktest>> {
    const candidate = await this.constitutions.find(constitutionId, context.siteId);
    if (!candidate) return missing();
    const { hash } = candidate;
    const differences: ConstitutionDifference[] = [];
    for await (const { step, data } of this.content.steps(candidate, context.siteId, { from: boundAt(body.from), to: boundAt(body.to) }, signal)) {
      if (step === 'refused') return data;
      if (step === 'difference' && differences.length < MAX_DIFFERENCES) differences.push(data);
      if (step !== 'result') continue;
      const { examined, differing, position: to } = data;
      const recorded = await this.executor.execute({ constitution: { aggregate: constitution, id: constitutionId } }, context, () =>
        accept({ constitution: [{ type: 'ConstitutionBacktested', data: { hash, from: body.from ?? null, to, examined, differing } }] }),
      );
      return recorded.ok ? { ok: true, data: { constitutionId, hash, examined, differing, differences }, position: recorded.position } : recorded;
    }
    return reject('unavailable', 'UNAVAILABLE', 'The server is stopping; run the backtest again.');
  }
}
