import type { Intent, IntentCycle } from '@app/sdk';
import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { table } from '../table';

const cells = ({ id, name, collection, status, openDrifts, schedule, nextRunAt }: Intent) => [id, name, collection, status, openDrifts, schedule, nextRunAt];

const inWords = (cycle: IntentCycle): string =>
  cycle.status === 'skipped'
    ? `Nothing was done: ${cycle.reason}${cycle.opensAt === null ? '' : `, until ${cycle.opensAt}`}.`
    : `${cycle.scanned} items scanned${cycle.complete ? '' : ' (the rest follows)'}: ${cycle.found} new drifts, ${cycle.resolved} resolved, ${cycle.open} open; ${cycle.goals} goals made.`;

export const intentsCommand = (run: Runner): Command => {
  const intents = new Command('intents').description('what is kept up by itself');

  intents
    .command('list')
    .description('with their open drifts and when they run next')
    .option('--collection <name>', 'of one collection only')
    .action(
      run(async (session, _args, { collection }) => {
        const rows = await collected(session.harness.intents.each({ collection: collection as string | undefined }));
        session.print(rows, table(['INTENT', 'NAME', 'COLLECTION', 'STATUS', 'DRIFTS', 'SCHEDULE', 'NEXT'], rows.map(cells), 'No intents.'));
      }),
    );

  intents
    .command('pause <intent>')
    .description('make no more work until it is resumed')
    .option('--reason <text>', 'for the record')
    .action(
      run(async (session, [intent = ''], { reason }) => {
        const { data } = await session.harness.intents.pause(intent, reason as string | undefined);
        session.print(data, `${data.name} is ${data.status}.`);
      }),
    );

  intents
    .command('resume <intent>')
    .description('also of one that broke because its goals failed')
    .action(
      run(async (session, [intent = '']) => {
        const { data } = await session.harness.intents.resume(intent);
        session.print(data, `${data.name} is ${data.status}${data.nextRunAt === null ? '' : ` and runs at ${data.nextRunAt}`}.`);
      }),
    );

  intents
    .command('scan <intent>')
    .description('one cycle now')
    .action(
      run(async (session, [intent = '']) => {
        const { data } = await session.harness.intents.scan(intent);
        session.print(data, inWords(data));
      }),
    );
  return intents;
};
