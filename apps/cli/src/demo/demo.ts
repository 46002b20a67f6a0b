import { Harness, type Approval, type NewApiKey } from '@app/sdk';
import { verifyChain } from '../chain-verdict';
import { collected } from '../collected';
import { timeline } from '../timeline';
import type { Cell } from '../table';
import { runAgent } from './agent-process';
import { rowsOf } from './catalogue-file';
import { reportOf, type DemoReport } from './demo-report';
import type { DemoServer } from './demo-server';
import { ProgressLine } from './progress';
import { reviewDeletions } from './reviewer';
import { ensureDemoCollection } from './seed';

export type DemoResult = { readonly report: DemoReport; readonly timeline: readonly (readonly Cell[])[] };

const AGENT: NewApiKey = {
  name: 'demo agent',
  kind: 'agent',
  capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read'],
};
const REVIEWER: NewApiKey = { name: 'demo reviewer', kind: 'human', capabilities: ['approvals:decide', 'items:read', 'audit:read'] };

/** A whole governed job: keys, collection, agent process, reviewer, then the evidence. Throws when a part could not be played at all. */
export const playDemo = async (
  server: DemoServer,
  file: string,
  signal: AbortSignal,
  isWatched: boolean,
  write: (text: string) => void,
): Promise<DemoResult> => {
  const { url } = server;
  const admin = new Harness({ url, key: server.key });
  await ensureDemoCollection(admin);
  const agentKey = await issued(admin, AGENT);
  const reviewerKey = await issued(admin, REVIEWER);
  const reviewer = new Harness({ url, key: reviewerKey.key });

  const progress = new ProgressLine(isWatched, (await collected(rowsOf(file))).length, write);
  const run = Promise.withResolvers<string>();
  // Nobody waits for the run any more when the agent ends before it has one.
  run.promise.catch(() => undefined);
  const over = new AbortController();
  const watching = AbortSignal.any([over.signal, signal]);
  const reviewing = reviewDeletions(reviewer, run.promise, admin.position, watching, ({ tool, status }) =>
    progress.say(`Reviewer: ${tool} is ${status}`),
  );

  const started = performance.now();
  const working = runAgent({ url, key: agentKey.key, file, signal: watching }, (message) => {
    if (message.kind === 'run') run.resolve(message.runId);
    if (message.kind === 'progress' && !over.signal.aborted) progress.show(message);
  });
  working.catch(() => undefined);
  try {
    // A reviewer that fails would leave the agent waiting for ever.
    const summary = await Promise.race([working, reviewing.then(() => working)]);
    const durationMs = Math.round(performance.now() - started);
    progress.end();
    const runId = await run.promise;
    const handle = admin.run(runId);
    const [{ status: runStatus }, events] = [await handle.get(), await handle.events()];
    const approvals: Approval[] = [];
    for (const { approvalId } of summary.approvals) approvals.push(await admin.approvals.get(approvalId));
    const chain = await verifyChain(admin, signal);
    return {
      report: reportOf({ runId, runStatus, agentId: agentKey.id, summary, approvals, events, durationMs, chain }),
      timeline: timeline(events),
    };
  } finally {
    progress.end();
    over.abort();
    run.reject(new Error('The demo is over'));
    await Promise.all([admin.apiKeys.revoke(agentKey.id), admin.apiKeys.revoke(reviewerKey.id)]).catch(() => undefined);
  }
};

/** A key with its secret. When a retry lost the answer that showed it, nobody can read it again. */
const issued = async (admin: Harness, wanted: NewApiKey) => {
  const { id, key } = (await admin.apiKeys.create(wanted)).data;
  if (key === null) throw new Error(`The secret of ${id} was lost on the way; start the demo again`);
  return { id, key };
};
