import { describe, expect, it } from '@jest/globals';
import { Traces, type ForgottenRun } from '@app/privacy';
import { runForgetting } from './run-traces';

class Remembered extends Traces {
  readonly destroyed: ForgottenRun[] = [];
  override destroy(run: ForgottenRun): Promise<void> {
    this.destroyed.push(run);
    return Promise.resolve();
  }
}

describe('A run that was forgotten by a process that died', () => {
  it('loses its keys and traces through whoever follows the log', async () => {
    const traces = new Remembered();
    const told = { goals: ['goal_1'], approvals: ['appr_1'], stagings: [] };
    const { handler, filter } = runForgetting(traces);
    await handler([{ type: 'RunForgotten', streamId: 'run-run_1', data: { by: 'key_ada', at: '2030-01-01T00:00:00.000Z', ...told } }] as never, {} as never, {} as never);
    expect(filter).toEqual({ categories: ['run'], types: ['RunForgotten'] });
    expect(traces.destroyed).toEqual([expect.objectContaining({ runId: 'run_1', ...told })]);
  });
});
