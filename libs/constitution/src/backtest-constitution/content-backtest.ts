import { setImmediate as letOthersRun } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import type { Rejected } from '@app/kernel';
import type { KnownConstitution } from '../constitution.state';
import { Constitutions } from '../constitutions';
import { blockingFailures } from '../evaluate/evaluate.policy';
import type { BacktestRange, EvaluatorsStep } from './backtest-evaluators.query';
import type { ConstitutionSide } from './backtest.view';
import { writtenContent, type Written } from './written-content';

type Version = Pick<KnownConstitution, 'hash' | 'evaluators'>;
const OPEN: { readonly ok: true; readonly side: ConstitutionSide } = { ok: true, side: { hash: null, allowed: true, blocking: [] } };
/** Writes between two signs of life. */
const PROGRESS_EVERY = 500;

const isBefore = ({ position, at }: Written, { from }: BacktestRange) =>
  from !== undefined && ('position' in from ? position < from.position : Date.parse(at) < Date.parse(from.time));
const isAfter = ({ position, at }: Written, { to }: BacktestRange) =>
  to !== undefined && ('position' in to ? position > to.position : Date.parse(at) > Date.parse(to.time));

/** Judges what was written twice: under the version its writer was bound to, and under another. Reads the log and writes nothing. */
@Injectable()
export class ContentBacktest {
  constructor(
    private readonly store: EventStore,
    private readonly constitutions: Constitutions,
  ) {}

  /** One turn of the event loop per write. The first judge that cannot answer ends it; aborting ends it without a result. */
  async *steps(candidate: Version, siteId: string, range: BacktestRange, signal: AbortSignal): AsyncGenerator<EvaluatorsStep, void, undefined> {
    const head = await this.store.head();
    const to = range.to !== undefined && 'position' in range.to && range.to.position < head ? range.to.position : head;
    let [examined, differing] = [0, 0];
    for await (const written of writtenContent(this.store, siteId, to, signal)) {
      if (isBefore(written, range) || isAfter(written, range)) continue;
      await letOthersRun();
      const bound = written.bound === null ? undefined : await this.constitutions.find(written.bound, siteId);
      const before = bound ? await this.judged(bound, written) : OPEN;
      const after = await this.judged(candidate, written);
      if (!before.ok || !after.ok) {
        yield { step: 'refused', data: before.ok ? (after as Rejected) : before };
        return;
      }
      examined++;
      if (before.side.allowed !== after.side.allowed) {
        differing++;
        const { position, at, streamId, collection, runId } = written;
        yield { step: 'difference', data: { position: String(position), at, streamId, collection, runId, before: before.side, after: after.side } };
      }
      if (examined % PROGRESS_EVERY === 0) yield { step: 'progress', data: { position: String(written.position), head: String(to), examined, differing } };
    }
    if (!signal.aborted) yield { step: 'result', data: { examined, differing, position: String(to) } };
  }

  private async judged(version: Version, { collection, data }: Written): Promise<{ readonly ok: true; readonly side: ConstitutionSide } | Rejected> {
    const evaluated = await this.constitutions.evaluate(version, { collection, data });
    if (!evaluated.ok) return evaluated;
    const blocking = blockingFailures(evaluated.results).map(({ evaluatorId }) => evaluatorId);
    return { ok: true, side: { hash: version.hash, allowed: blocking.length === 0, blocking } };
  }
}
