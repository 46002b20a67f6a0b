import type { Answer } from '@app/sdk';
import { Command } from 'commander';
import { UsageError, type Runner, type Session } from '../session';
import { table } from '../table';

export const projectionsCommand = (run: Runner): Command => {
  const projections = new Command('projections').description('look after the read models');

  projections
    .command('list')
    .description('state, position and lag of every read model')
    .action(
      run(async (session) => {
        const { data, position } = await session.harness.ops.projections();
        const cells = data.map(({ name, state, position: at, lagEvents, progress, error }) => [
          name,
          state,
          at,
          lagEvents,
          progress ? `${Math.floor(progress.ratio * 100)} %` : '',
          error?.message,
        ]);
        session.print({ position, projections: data }, table(['NAME', 'STATE', 'POSITION', 'LAG', 'REBUILT', 'ERROR'], cells));
      }),
    );

  const simple = (verb: string, description: string, work: (session: Session, name: string) => Promise<Answer<unknown>>, done: string) =>
    projections
      .command(`${verb} <name>`)
      .description(description)
      .action(
        run(async (session, [name = '']) => {
          const { data, position } = await work(session, name);
          session.print({ name, position, data }, `${name}: ${done}`);
        }),
      );
  simple(
    'rebuild',
    'build it anew from the log while the old one serves',
    ({ harness }, name) => harness.ops.rebuild(name),
    'rebuild started; see `harness projections list`',
  );
  simple('pause', 'stop applying events', ({ harness }, name) => harness.ops.pause(name), 'paused');
  simple('resume', 'go on after a pause, or try again after an error', ({ harness }, name) => harness.ops.resume(name), 'resumed');

  projections
    .command('verify <name>')
    .description('replay the log beside it and compare; exits 1 on a difference')
    .action(
      run(async (session, [name = '']) => {
        const { data } = await session.harness.ops.verify(name);
        const differences = data.differences.map(({ id, kind }) => [id, kind]);
        session.print(
          data,
          data.ok
            ? `${name}: ${data.rows} rows, equal to the log`
            : `${name}: differs from the log\n${table(['ROW', 'KIND'], differences)}`,
        );
        return data.ok ? 0 : 1;
      }),
    );

  projections
    .command('skip <name>')
    .description('pass over one event that cannot be applied')
    .requiredOption('--position <position>', 'log position of the event')
    .requiredOption('--reason <text>', 'why; it is recorded')
    .action(
      run(async (session, [name = ''], options) => {
        const position = String(options['position']);
        if (!/^[1-9]\d{0,18}$/.test(position)) throw new UsageError('--position takes a log position: digits only');
        const { data } = await session.harness.ops.skip(name, { position, reason: String(options['reason']) });
        session.print({ name, skipped: position, data }, `${name}: event ${position} skipped`);
      }),
    );
  return projections;
};
