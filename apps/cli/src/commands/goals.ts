import type { Goal } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const cells = ({ id, title, status, reason, agentRole, agentName, origin, runId }: Goal) => [id, title, status, reason, agentRole ?? agentName, origin, runId];

export const goalsCommand = (run: Runner): Command => {
  const goals = new Command('goals').description('what agents are to reach');

  goals
    .command('list')
    .description('newest first')
    .option('--status <status>', 'of one status only')
    .option('--parent <goal>', 'parts of one goal only')
    .action(
      run(async (session, _args, { status, parent }) => {
        const rows = await collected(session.harness.goals.each({ status: status as Goal['status'] | undefined, parentGoalId: parent as string | undefined }));
        session.print(rows, table(['GOAL', 'TITLE', 'STATUS', 'WHY', 'AGENT', 'ORIGIN', 'RUN'], rows.map(cells), 'No goals.'));
      }),
    );

  goals
    .command('cancel <goal>')
    .description('end it, its run and all its parts')
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [goal = ''], { reason }) => {
        const { data } = await session.harness.goals.cancel(goal, reason as string | undefined);
        session.print(data, `${goal} is ${data.status}; ${data.cancelled.length} goals were ended.`);
      }),
    );
  return goals;
};
