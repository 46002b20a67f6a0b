import type { BacktestDifference, BacktestStep, Candidate } from '@app/sdk';
import { Command } from 'commander';
import { jsonFile } from '../json-file';
import { positionBar } from '../position-bar';
import { UsageError, type Runner, type Session } from '../session';
import { table } from '../table';

const PARTS = ['policies', 'roles', 'grants'] as const;

/** Each file holds the list itself, or a document with the list under its own name, such as what `GET /agent/policies` answers. */
const candidateFrom = async (options: Readonly<Record<string, unknown>>): Promise<Candidate> => {
  const given = PARTS.filter((part) => typeof options[part] === 'string');
  if (given.length === 0) throw new UsageError('Nothing to try: name a file with --policies, --roles or --grants');
  const read = async (part: (typeof PARTS)[number]) => {
    const document = await jsonFile(String(options[part]));
    const within = (document as Record<string, unknown> | null)?.[part === 'policies' && document !== null && typeof document === 'object' && 'rules' in document ? 'rules' : part];
    return [part, Array.isArray(document) ? document : within] as const;
  };
  return Object.fromEntries(await Promise.all(given.map(read))) as Candidate;
};

const decided = ({ decision, reason, rule, quorum }: BacktestDifference['recorded']): string =>
  [decision, reason, rule === reason ? null : rule && `by ${rule}`, quorum !== null && quorum > 1 ? `${quorum} people` : null].filter(Boolean).join(' ');

const rows = (differences: readonly BacktestDifference[]) =>
  differences.map(({ event, tool, callId, runId, recorded, candidate }) => [`#${event.position}`, runId, callId, tool, decided(recorded), decided(candidate)]);

const tried = async (session: Session, steps: AsyncIterable<BacktestStep>) => {
  const bar = positionBar(session.terminal, 'Examining');
  const differences: BacktestDifference[] = [];
  let result: Extract<BacktestStep, { result: unknown }>['result'] | undefined;
  try {
    for await (const step of steps) {
      // Only a constitution differs about content, and none is tried here.
      if ('difference' in step) differences.push(...('callId' in step.difference ? [step.difference] : []));
      else if ('progress' in step) bar.reach(step.progress.position, step.progress.head);
      else result = step.result;
    }
  } finally {
    bar.stop(result !== undefined);
  }
  if (!result) throw new Error('The backtest ended without a result');
  return { examined: result.examined, differing: result.differing, ...(result.forgotten !== undefined && { forgotten: result.forgotten }), differences };
};

export const backtestCommand = (run: Runner): Command =>
  new Command('backtest')
    .description('try rules on history and list the decisions that would have been others; changes nothing')
    .option('--policies <file>', 'JSON list of policy rules to try in place of those of the site')
    .option('--roles <file>', 'JSON list of roles to lay over those of the site')
    .option('--grants <file>', 'JSON list of grants to lay over those of the site')
    .option('--from <moment>', 'log position or ISO 8601 instant')
    .option('--to <moment>', 'log position or ISO 8601 instant')
    .action(
      run(async (session, _args, options) => {
        const { from, to } = options as { from?: string; to?: string };
        const candidate = await candidateFrom(options);
        const found = await tried(session, session.harness.replay.backtest(candidate, { from, to, signal: session.terminal.signal }));
        const heading = `${found.differing} of ${found.examined} decisions would have been others.${found.forgotten === undefined ? '' : ` What ${found.forgotten} more were asked was forgotten.`}`;
        session.print(
          found,
          found.differing === 0 ? heading : `${heading}\n${table(['POSITION', 'RUN', 'CALL', 'TOOL', 'RECORDED', 'CANDIDATE'], rows(found.differences))}`,
        );
      }),
    );
