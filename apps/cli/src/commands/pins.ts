import type { Pins } from '@app/sdk';
import { Command } from 'commander';
import type { Runner } from '../session';
import { table } from '../table';

const shown = (pins: Pins) => table(['FIELD', 'PINNED BY', 'SINCE'], pins.map(({ field, pinnedBy, pinnedAt }) => [field, pinnedBy, pinnedAt]), 'No pins: agents may change every field.');

export const pinsCommand = (run: Runner): Command => {
  const pins = new Command('pins').description('fields of an item that people keep from agents');

  pins
    .command('list <collection> <item>')
    .description('the pins of an item')
    .action(
      run(async (session, [collection = '', item = '']) => {
        const found = await session.harness.items(collection).pins(item);
        session.print(found, shown(found));
      }),
    );

  pins
    .command('set <collection> <item> <fields...>')
    .description('keep fields from every agent')
    .action(
      run(async (session, [collection = '', item = '', ...fields]) => {
        const { data } = await session.harness.items(collection).pin(item, fields);
        session.print(data, shown(data));
      }),
    );

  pins
    .command('release <collection> <item> [field]')
    .description('give a field back to agents; without one, all of them')
    .action(
      run(async (session, [collection = '', item = '', field]) => {
        const { data } = await session.harness.items(collection).release(item, field);
        session.print(data, shown(data));
      }),
    );
  return pins;
};
