import { setImmediate as letOthersRun } from 'node:timers/promises';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { accept, missing, reject, type Outcome, type Rejected } from '@app/kernel';
import { constitution, type KnownConstitution } from '../constitution.state';
import { Constitutions } from '../constitutions';
import { blockingFailures } from '../evaluate/evaluate.policy';
import { BacktestConstitution } from './backtest-constitution.command';
import type { ConstitutionBacktest, ConstitutionDifference, ConstitutionSide } from './backtest.view';
import { writtenContent, type Written } from './written-content';

const MAX_DIFFERENCES = 1_000;
const OPEN: { readonly ok: true; readonly side: ConstitutionSide } = { ok: true, side: { hash: null, allowed: true, blocking: [] } };

@CommandHandler(BacktestConstitution)
export class BacktestConstitutionHandler implements ICommandHandler<BacktestConstitution> {
  constructor(
    private readonly store: EventStore,
    private readonly executor: Executor,
    private readonly constitutions: Constitutions,
  ) {}

  /** Judges what was written twice: under the version in force at that moment, and under this one. One turn of the event loop per write. */
  async execute({ constitutionId, body, context, signal }: BacktestConstitution): Promise<Outcome<ConstitutionBacktest>> {
    const { siteId } = context;
    const candidate = await this.constitutions.find(constitutionId, siteId);
    if (!candidate) return missing();
    const head = await this.store.head();
    const from = body.from === undefined ? 0n : BigInt(body.from);
    const to = body.to === undefined || BigInt(body.to) > head ? head : BigInt(body.to);
    const differences: ConstitutionDifference[] = [];
    let [examined, differing] = [0, 0];
    for await (const written of writtenContent(this.store, siteId, to, signal)) {
      if (written.position < from) continue;
      await letOthersRun();
      const inForce = written.inForce === null ? undefined : await this.constitutions.find(written.inForce, siteId);
      const before = inForce ? await this.judged(inForce, written) : OPEN;
      const after = await this.judged(candidate, written);
      if (!before.ok) return before;
      if (!after.ok) return after;
      examined++;
      if (before.side.allowed === after.side.allowed) continue;
      const { position, at, streamId, collection } = written;
      if (differing++ < MAX_DIFFERENCES) differences.push({ position: String(position), at, streamId, collection, before: before.side, after: after.side });
    }
    if (signal.aborted) return reject('unavailable', 'UNAVAILABLE', 'The server is stopping; run the backtest again.');
    const { hash } = candidate;
    const recorded = await this.executor.execute({ constitution: { aggregate: constitution, id: constitutionId } }, context, () =>
      accept({ constitution: [{ type: 'ConstitutionBacktested', data: { hash, from: body.from ?? null, to: String(to), examined, differing } }] }),
    );
    return recorded.ok ? { ok: true, data: { constitutionId, hash, examined, differing, differences }, position: recorded.position } : recorded;
  }

  private async judged(version: KnownConstitution, { collection, data }: Written): Promise<{ readonly ok: true; readonly side: ConstitutionSide } | Rejected> {
    const evaluated = await this.constitutions.evaluate(version, { collection, data });
    if (!evaluated.ok) return evaluated;
    const blocking = blockingFailures(evaluated.results).map(({ evaluatorId }) => evaluatorId);
    return { ok: true, side: { hash: version.hash, allowed: blocking.length === 0, blocking } };
  }
}
