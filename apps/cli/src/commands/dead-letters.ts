import { Command } from 'commander';
import { collected } from '../collected';
import type { Runner } from '../session';
import { aligned, table } from '../table';

export const deadLettersCommand = (run: Runner): Command => {
  const letters = new Command('dead-letters').description('jobs that failed for good');

  letters
    .command('list')
    .description('oldest first')
    .action(
      run(async (session) => {
        const rows = await collected(session.harness.ops.deadLetters.each());
        const cells = rows.map(({ id, queue, runId, jobId, attempts, failedAt, error }) => [id, queue, runId ?? jobId, attempts, failedAt, error]);
        session.print(rows, table(['LETTER', 'QUEUE', 'RUN OR JOB', 'ATTEMPTS', 'FAILED', 'ERROR'], cells, 'No dead letters.'));
      }),
    );

  letters
    .command('show <letter>')
    .description('one of them, with what the job was to do')
    .action(
      run(async (session, [letter = '']) => {
        const { data } = await session.harness.ops.deadLetters.get(letter);
        session.print(data, aligned(Object.entries(data).map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : String(value)])));
      }),
    );

  letters
    .command('requeue <letter>')
    .description('do its work again: a new run for the task of a run, the same job otherwise')
    .action(
      run(async (session, [letter = '']) => {
        const { data } = await session.harness.ops.deadLetters.requeue(letter);
        session.print(data, data.runId === null ? `Job ${data.jobId} is in queue ${data.queue} again.` : `Run ${data.runId} does the task again.`);
      }),
    );
  return letters;
};
