import type { StagedChange } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const HEADING = ['CHANGE', 'STATUS', 'ITEM', 'FIELDS', 'AGENT', 'GOES LIVE'];
const cells = ({ stagingId, status, collection, itemId, patch, agentName, autoCommitAt, settledAt }: StagedChange) =>
  [stagingId, status, `${collection}/${itemId}`, Object.keys(patch).join(','), agentName, settledAt === null ? autoCommitAt : ''];

export const stagedCommand = (run: Runner): Command => {
  const staged = new Command('staged').description('changes in their veto window');

  staged
    .command('list')
    .description('those that wait, newest first')
    .option('--status <status>', 'others than those that wait')
    .option('--run <id>', 'of one run only')
    .action(
      run(async (session, _args, { status, run: runId }) => {
        const rows = await collected(session.harness.staged.each({ status: status as StagedChange['status'] | undefined, runId: runId as string | undefined }));
        session.print(rows, table(HEADING, rows.map(cells), 'No staged changes.'));
      }),
    );

  staged
    .command('veto <change>')
    .description('discard it before it goes live; its agent loses a level of trust')
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [change = ''], { reason }) => {
        const { data } = await session.harness.staged.veto(change, reason as string | undefined);
        session.print(data, `${change} is discarded; ${data.collection}/${data.itemId} stays as it is.`);
      }),
    );

  staged
    .command('commit <change>')
    .description('make it live before its window closes')
    .action(
      run(async (session, [change = '']) => {
        const { data } = await session.harness.staged.commitNow(change);
        const dropped = data.dropped.map(({ field, reason }) => `\n  not ${field}: ${reason}`).join('');
        session.print(data, `${change} is ${data.status.replaceAll('_', ' ')}.${dropped}`);
      }),
    );
  return staged;
};
