import type { LogEvent } from '@app/sdk';
import { Command } from 'commander';
import { UsageError, type Runner } from '../session';
import { printable } from '../terminal';

/** `--from` names the first position shown; the stream goes on after the one before it. */
const afterOf = (from: unknown): string | undefined => {
  if (from === undefined) return undefined;
  if (typeof from !== 'string' || !/^\d{1,19}$/.test(from)) throw new UsageError('--from takes a log position: digits only');
  const position = BigInt(from);
  return position === 0n ? '0' : (position - 1n).toString();
};

const line = ({ position, occurredAt, type, streamId, actor, data }: LogEvent): string =>
  printable(`${occurredAt}  #${position}  ${type}  ${streamId}  ${actor.kind}:${actor.id}  ${JSON.stringify(data)}`);

export const tailCommand = (run: Runner): Command =>
  new Command('tail')
    .description('print events as they are appended, until Ctrl-C; with --json one event a line')
    .option('--type <types>', 'only these event types, separated by commas')
    .option('--from <position>', 'start with the event at this position instead of now')
    .action(
      run(async ({ harness, json, terminal }, _args, { type, from }) => {
        const types =
          typeof type === 'string'
            ? type
                .split(',')
                .map((name) => name.trim())
                .filter(Boolean)
            : undefined;
        for await (const event of harness.audit.stream({ types, after: afterOf(from), signal: terminal.signal })) {
          terminal.out(`${json ? JSON.stringify(event) : line(event)}\n`);
        }
      }),
    );
