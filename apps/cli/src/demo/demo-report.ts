import type { Approval, ChainVerdict, LogEvent } from '@app/sdk';
import type { ImportSummary } from './import-catalogue';

/** Everything the demo knows at its end. `problems` is empty when all went as promised. */
export type DemoReport = {
  readonly runId: string;
  readonly imported: number;
  readonly fixed: number;
  readonly deleted: number;
  readonly duplicates: number;
  readonly rejectedRows: ImportSummary['rejectedRows'];
  readonly approvals: readonly {
    readonly approvalId: string;
    readonly tool: string;
    readonly status: string;
    readonly decidedBy: string | null;
    readonly reason: string | null;
  }[];
  readonly calls: number;
  readonly events: number;
  readonly durationMs: number;
  readonly callsPerSecond: number;
  readonly chain: ChainVerdict;
  readonly problems: readonly string[];
};

export type DemoFacts = {
  readonly runId: string;
  readonly runStatus: string;
  readonly agentId: string;
  readonly summary: ImportSummary;
  readonly approvals: readonly Approval[];
  readonly events: readonly LogEvent[];
  readonly durationMs: number;
  readonly chain: ChainVerdict;
};

const count = (events: readonly LogEvent[], type: string, callId?: string): number =>
  events.filter((event) => event.type === type && (callId === undefined || event.data['callId'] === callId)).length;

/** What is not as the demo promises, judged from the log and not from what the agent says. */
const problemsOf = ({ runStatus, agentId, summary, approvals, events, chain }: DemoFacts): string[] => {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string) => void (holds || problems.push(problem));
  expect(runStatus === 'succeeded', `the run ended ${runStatus}`);
  expect(chain.ok, chain.ok ? '' : `the chain is broken at position ${chain.position}: ${chain.detail}`);
  const handled = summary.imported + summary.duplicates + summary.rejectedRows.length;
  expect(handled === summary.rows, `of ${summary.rows} rows only ${handled} are accounted for`);
  const succeeded = count(events, 'ToolCallSucceeded');
  expect(succeeded === summary.calls, `the agent made ${summary.calls} calls, the log shows ${succeeded} that succeeded`);
  expect(
    summary.deleted === 1 && approvals.length === 1,
    `one approved deletion was expected; ${summary.deleted} of ${approvals.length} requests led to one`,
  );
  for (const { id, status, callId, decidedBy } of approvals) {
    expect(status === 'approved', `approval ${id} is ${status}`);
    expect(decidedBy !== null && decidedBy !== agentId, `approval ${id} was not decided by a second principal`);
    const times = count(events, 'ToolCallSucceeded', callId ?? undefined);
    expect(times === 1, `the approved call of ${id} ran ${times} times`);
  }
  return problems;
};

export const reportOf = (facts: DemoFacts): DemoReport => {
  const { runId, summary, approvals, events, durationMs, chain } = facts;
  const { imported, fixed, deleted, duplicates, rejectedRows, calls } = summary;
  return {
    runId,
    imported,
    fixed,
    deleted,
    duplicates,
    rejectedRows,
    approvals: approvals.map(({ id, tool, status, decidedBy, reason }) => ({ approvalId: id, tool: tool ?? '', status, decidedBy, reason })),
    calls,
    events: events.length,
    durationMs,
    callsPerSecond: Math.round((calls * 1000) / Math.max(durationMs, 1)),
    chain,
    problems: problemsOf(facts),
  };
};

export const summaryLines = (report: DemoReport): string[] => {
  const { imported, fixed, deleted, duplicates, rejectedRows, calls, events, durationMs, callsPerSecond, approvals, chain, problems } =
    report;
  return [
    `Rows      ${imported} imported, ${fixed} titles fixed, ${deleted} deleted, ${duplicates} duplicates skipped, ${rejectedRows.length} rejected`,
    ...rejectedRows.map(({ line, sku, reason }) => `          line ${line}, ${sku}: ${reason}`),
    `Calls     ${calls} in ${(durationMs / 1000).toFixed(1)} s (${callsPerSecond}/s), ${events} events`,
    ...approvals.map(
      ({ tool, status, decidedBy, reason }) =>
        `Approval  ${tool}: ${status} by ${decidedBy ?? 'nobody'}${reason === null ? '' : `, "${reason}"`}`,
    ),
    chain.ok ? `Chain     intact, ${chain.events} events verified` : `Chain     BROKEN at #${chain.position}: ${chain.detail}`,
    ...problems.map((problem) => `PROBLEM   ${problem}`),
  ];
};
