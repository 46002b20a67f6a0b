import type { Flow } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const triggerOf = ({ trigger }: Flow): string => (trigger.on === 'cron' ? `${trigger.expression} ${trigger.tz}` : `on ${trigger.types.join(',')}`);
const stateOf = ({ enabled, running }: Flow): string => (running ? 'running' : enabled ? 'enabled' : 'disabled');
const cells = (flow: Flow) => [flow.id, flow.name, stateOf(flow), triggerOf(flow), flow.lastRun && `${flow.lastRun.status} ${flow.lastRun.endedAt}`, flow.nextRunAt];

export const flowsCommand = (run: Runner): Command => {
  const flows = new Command('flows').description('steps that run by a schedule or after an event');

  flows
    .command('list')
    .description('with how they ended last and when they run next')
    .action(
      run(async (session) => {
        const rows = await collected(session.harness.flows.each());
        session.print(rows, table(['FLOW', 'NAME', 'STATE', 'TRIGGER', 'LAST', 'NEXT'], rows.map(cells), 'No flows.'));
      }),
    );

  flows
    .command('run <flow>')
    .description('now, whatever its trigger is')
    .action(
      run(async (session, [flow = '']) => {
        const { data } = await session.harness.flows.run(flow);
        session.print(data, `Run ${data.runId} carries it out; see \`harness run ${data.runId}\``);
      }),
    );
  return flows;
};
