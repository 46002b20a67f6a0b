import type { Approval, Approvals, BatchedDecision, Decision } from '@app/sdk';
import { Argument, Command } from 'commander';
import { collected } from '../collected';
import { jsonFile } from '../json-file';
import { UsageError, type Runner } from '../session';
import { table } from '../table';

const DECISIONS = ['approved', 'rejected', 'changes_requested'] as const;

const shown = (rows: readonly Approval[]) =>
  table(
    ['APPROVAL', 'STATUS', 'WHAT', 'TOOL', 'ASKED BY', 'EXPIRES'],
    rows.map(({ id, status, subject, tool, requestedBy, expiresAt }) => [id, status, subject, tool, requestedBy, status === 'pending' ? expiresAt : '']),
    'No approvals.',
  );

const outcomes = (results: readonly BatchedDecision[]) =>
  table(['APPROVAL', 'RESULT', 'DETAIL'], results.map(({ approvalId, decided, problem }) => [approvalId, decided?.status ?? problem?.code, problem?.detail ?? decided?.call?.status]));

type Batch = Parameters<Approvals['decideBatch']>[0];

/** The list itself, or a document that holds it under `decisions`, as the API takes it. */
const decisionsIn = (document: unknown): Batch => {
  const list = Array.isArray(document) ? document : (document as { readonly decisions?: unknown } | null)?.decisions;
  if (!Array.isArray(list)) throw new UsageError('The file holds no list of decisions: [{"approvalId": "appr_…", "decision": "approved"}]');
  return list as Batch;
};

export const approvalsCommand = (run: Runner): Command => {
  const approvals = new Command('approvals').description('what waits for a person');

  approvals
    .command('list')
    .description('those that wait, newest first')
    .option('--status <status>', 'others than those that wait', 'pending')
    .option('--run <id>', 'of one run only')
    .action(
      run(async (session, _args, { status, run: runId }) => {
        const rows = await collected(session.harness.approvals.each({ status: status as Approval['status'], runId: runId as string | undefined }));
        session.print(rows, shown(rows));
      }),
    );

  approvals
    .command('decide')
    .description('decide one; an approved call runs before this ends')
    .argument('<approval>')
    .addArgument(new Argument('<decision>').choices(DECISIONS))
    .option('--reason <text>', 'for the agent and the record')
    .option('--digest <hex>', 'of the action that you saw; refused when it is another one by now')
    .action(
      run(async (session, [approval = '', decision], { reason, digest }) => {
        const { data } = await session.harness.approvals.decide(approval, {
          decision: decision as Decision['decision'], ...(reason !== undefined && { reason: String(reason) }), ...(digest !== undefined && { actionDigest: String(digest) }),
        });
        session.print(data, `${approval} is ${data.status}${data.call ? `; its call is ${data.call.status}` : ''}.`);
      }),
    );

  approvals
    .command('batch <file>')
    .description('up to a hundred decisions from a JSON file; exits 1 when one of them is refused')
    .action(
      run(async (session, [file = '']) => {
        const { data } = await session.harness.approvals.decideBatch(decisionsIn(await jsonFile(file)));
        session.print(data, outcomes(data.results));
        return data.results.every(({ ok }) => ok) ? 0 : 1;
      }),
    );

  approvals
    .command('answer <approval> <text>')
    .description('words for the agent; the approval goes on waiting')
    .action(
      run(async (session, [approval = '', text = '']) => {
        const { data } = await session.harness.approvals.answer(approval, text);
        session.print(data, `The agent is told; ${approval} is still ${data.status}.`);
      }),
    );

  approvals
    .command('extend <approval> <until>')
    .description('let it wait longer, until an instant in ISO 8601')
    .action(
      run(async (session, [approval = '', until = '']) => {
        const { data } = await session.harness.approvals.extend(approval, until);
        session.print(data, `${approval} waits until ${data.expiresAt}.`);
      }),
    );

  approvals
    .command('delegate <approval> <person>')
    .description('hand your own say to another person')
    .option('--note <text>', 'for that person')
    .action(
      run(async (session, [approval = '', person = ''], { note }) => {
        const { data } = await session.harness.approvals.delegate(approval, person, note as string | undefined);
        session.print(data, `${approval} is asked of ${data.assignedTo ?? person}.`);
      }),
    );

  approvals
    .command('escalate <approval> <reason>')
    .description('from then on only an admin decides')
    .action(
      run(async (session, [approval = '', reason = '']) => {
        const { data } = await session.harness.approvals.escalate(approval, reason);
        session.print(data, `${approval} waits for an admin.`);
      }),
    );
  return approvals;
};
