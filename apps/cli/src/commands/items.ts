import type { LinesBody } from '@app/sdk';
import { Command } from 'commander';
import { createReadStream, createWriteStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { UsageError, type Runner } from '../session';

const isPacked = (file: string) => file.endsWith('.gz');

export const itemsCommand = (run: Runner): Command => {
  const items = new Command('items').description('items of a collection as files of JSON lines');

  items
    .command('export <collection>')
    .description('every live item, one a line, oldest first')
    .option('--out <file>', 'write it to a file instead of printing it; packed when its name ends in .gz')
    .action(
      run(async (session, [collection = ''], { out }) => {
        let count = 0;
        async function* lines(): AsyncGenerator<string> {
          for await (const item of session.harness.items(collection).export({ signal: session.terminal.signal })) {
            count++;
            yield `${JSON.stringify(item)}\n`;
          }
        }
        if (typeof out !== 'string') {
          for await (const line of lines()) session.terminal.out(line);
          return;
        }
        await pipeline([Readable.from(lines()), ...(isPacked(out) ? [createGzip()] : []), createWriteStream(out)]);
        session.print({ file: out, items: count }, `${count} items of ${collection} are in ${out}`);
      }),
    );

  items
    .command('import <collection> <file>')
    .description('items from a file of JSON lines, packed when its name ends in .gz; all of them, or none when one does not fit')
    .action(
      run(async (session, [collection = '', file = '']) => {
        await access(file).catch((cause: unknown) => {
          throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`);
        });
        const body = Readable.toWeb(createReadStream(file)) as LinesBody;
        const { data } = await session.harness.items(collection).import(body, { signal: session.terminal.signal, ...(isPacked(file) && { encoding: 'gzip' }) });
        session.print(data, `${data.created} items were created in ${collection}`);
      }),
    );
  return items;
};
