import type { ReplayMismatch, ReplayScope, ReplayVerdict } from '@app/sdk';
import { Command } from 'commander';
import { positionBar } from '../position-bar';
import type { Runner, Session } from '../session';
import { printable } from '../terminal';

/** Takes the decisions again on the server, with a bar on stderr; exits 1 when one differs. */
const verify = async (session: Session, scope: ReplayScope): Promise<number> => {
  const { harness, terminal } = session;
  const bar = positionBar(terminal, 'Replaying');
  let verdict: ReplayVerdict | undefined;
  try {
    for await (const step of harness.replay.verify({ ...scope, signal: terminal.signal })) {
      if (step.kind === 'verdict') verdict = step.verdict;
      else bar.reach(step.progress.position, step.progress.head);
    }
  } finally {
    bar.stop(verdict !== undefined);
  }
  if (!verdict) throw new Error('The replay ended without a verdict');
  session.print(verdict, inWords(verdict));
  return verdict.ok ? 0 : 1;
};

const inWords = ({ ok, decisions, differing, forgotten, mismatches }: ReplayVerdict): string =>
  ok
    ? `Reproduced: ${decisions} decisions, each as recorded.${forgotten === undefined ? '' : ` What ${forgotten} more were asked was forgotten.`}`
    : [`DIFFERENT: ${differing} of what ${decisions} decisions recorded is not what the door decides.`, ...mismatches.map(mismatchInWords)].join('\n');

const mismatchInWords = ({ position, type, eventId, callId, detail, differences }: ReplayMismatch): string =>
  [
    `#${position} ${type} (event ${eventId}, call ${printable(callId)}): ${detail}`,
    ...differences.map(({ path, recorded, replayed }) => `  ${printable(path)}: recorded ${json(recorded)}, now ${json(replayed)}`),
  ].join('\n');

const json = (value: unknown): string => (value === undefined ? 'nothing' : printable(JSON.stringify(value)));
const text = (option: unknown): string | undefined => (typeof option === 'string' ? option : undefined);

export const replayCommand = (run: Runner): Command => {
  const replay = new Command('replay').description('take recorded decisions again; exits 1 when one differs and names the event');

  replay
    .command('run <runId>')
    .description('the decisions of one run')
    .action(run((session, [runId = '']) => verify(session, { runId })));

  replay
    .command('site')
    .description('all decisions of the site')
    .option('--from <moment>', 'log position or ISO 8601 instant')
    .option('--to <moment>', 'log position or ISO 8601 instant')
    .action(run((session, _args, { from, to }) => verify(session, { from: text(from), to: text(to) })));
  return replay;
};
