import type { EvaluatorsStep } from '@app/constitution/contract';
import { orProblem } from '@app/http';
import type { BacktestStep } from './backtest.query';

type Either = BacktestStep | EvaluatorsStep;

/** The steps of several backtests one after another, counted as one. A refusal ends them as a problem; one that was aborted has no result. */
export async function* inTurn(backtests: readonly AsyncIterable<Either>[]): AsyncGenerator<BacktestStep, void, undefined> {
  let [examined, differing, forgotten, position] = [0, 0, 0, '0'];
  for (const backtest of backtests) {
    let ended = false;
    for await (const { step, data } of backtest) {
      if (step === 'refused') orProblem(data);
      else if (step === 'difference') yield { step, data };
      else if (step === 'progress') yield { step, data: { ...data, examined: examined + data.examined, differing: differing + data.differing } };
      else {
        examined += data.examined;
        differing += data.differing;
        forgotten += 'forgotten' in data ? (data.forgotten ?? 0) : 0;
        position = BigInt(data.position) > BigInt(position) ? data.position : position;
        ended = true;
      }
    }
    if (!ended) return;
  }
  yield { step: 'result', data: { examined, differing, ...(forgotten > 0 && { forgotten }), position } };
}
