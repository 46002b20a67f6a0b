import type { RunRow } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const cells = ({ id, agentName, agentRole, status, stopReason, toolCalls, startedAt, endedAt }: RunRow) => [id, agentName, agentRole, status, stopReason, toolCalls, startedAt, endedAt];

export const runsCommand = (run: Runner): Command => {
  const runs = new Command('runs').description('runs of agents');

  runs
    .command('list')
    .description('newest first')
    .option('--status <status>', 'of one status only')
    .option('--goal <id>', 'of one goal only')
    .action(
      run(async (session, _args, { status, goal }) => {
        const rows = await collected(session.harness.runs.each({ status: status as RunRow['status'] | undefined, goalId: goal as string | undefined }));
        session.print(rows, table(['RUN', 'AGENT', 'ROLE', 'STATUS', 'WHY', 'CALLS', 'STARTED', 'ENDED'], rows.map(cells), 'No runs.'));
      }),
    );

  runs
    .command('cancel <runId>')
    .description('end it; what waits for a person is superseded')
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [runId = ''], { reason }) => {
        const { data } = await session.harness.run(runId).cancel(reason as string | undefined);
        session.print(data, `${runId} is ${data.status}.`);
      }),
    );

  runs
    .command('retry <runId>')
    .description('the task of a run that has ended, once more, in a new run')
    .action(
      run(async (session, [runId = '']) => {
        const { data } = await session.harness.run(runId).retry();
        session.print(data, `Run ${data.runId} does the task again; it is ${data.runStatus}.`);
      }),
    );
  return runs;
};
