import type {
  ApprovalAtView,
  AutonomyAtView,
  BacktestBody,
  BacktestDifference,
  BacktestResult,
  GovernanceAtView,
  GovernanceSnapshot,
  ReplayMismatch,
  ReplayProgress,
  ReplayVerdict,
  RunAtView,
  StreamAtView,
} from '@app/replay/contract';
import { untilLast } from './connection/follow';
import { jsonLines } from './connection/json-lines';
import { parsed } from './connection/message';
import { path } from './connection/path';
import type { Answer, Transport, WriteOptions } from './connection/transport';

export type { BacktestDifference, GovernanceSnapshot, ReplayMismatch, ReplayVerdict };
export type RunAt = RunAtView;
export type ApprovalAt = ApprovalAtView;
export type AutonomyAt = AutonomyAtView;
export type GovernanceAt = GovernanceAtView;
export type StreamAt = StreamAtView;

/** Rules to try on history: all policies, or roles and grants to lay over those the site had. */
export type Candidate = BacktestBody['candidate'];

/** One of the three: a log position, an instant in ISO 8601, or a version of the stream. */
export type Moment = { readonly position: string } | { readonly time: string } | { readonly version: number };

/** Both ends belong to the range; each is a log position or an instant. */
export type ReplayScope = { readonly runId?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined };

export type ReplayStep =
  { readonly kind: 'progress'; readonly progress: ReplayProgress } | { readonly kind: 'verdict'; readonly verdict: ReplayVerdict };

export type BacktestProgress = { readonly position: string; readonly head: string; readonly examined: number; readonly differing: number };
export type BacktestStep =
  | { readonly progress: BacktestProgress }
  | { readonly difference: BacktestResult['differences'][number] }
  | { readonly result: { readonly examined: number; readonly differing: number; readonly forgotten?: number; readonly position: string } };

/** The past as it was, and decisions taken again. Needs the capability `audit:read`; nothing here changes anything. */
export class Replay {
  constructor(private readonly transport: Transport) {}

  /** Takes recorded decisions again on the server: progress, then one verdict. A difference is a verdict, not an error. */
  async *verify({ signal, ...query }: ReplayScope & { readonly signal?: AbortSignal | undefined } = {}): AsyncGenerator<ReplayStep> {
    for await (const message of untilLast(this.transport, '/agent/replay/verify', ({ event }) => event === 'verdict', { query, signal })) {
      if (message.event === 'verdict') yield { kind: 'verdict', verdict: parsed(message) };
      else if (message.event === 'progress') yield { kind: 'progress', progress: parsed(message) };
    }
  }

  /** Progress and differences as they are found, then the result. */
  backtest = (
    candidate: Candidate,
    { signal, from, to }: Omit<ReplayScope, 'runId'> & { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<BacktestStep> => jsonLines(this.transport, '/agent/replay/backtest', { candidate, from, to }, (step) => 'result' in step, signal);

  /** The result with the first thousand differences, in one answer. */
  backtestResult = (candidate: Candidate, range: Omit<ReplayScope, 'runId'> = {}, options?: WriteOptions): Promise<Answer<BacktestResult>> =>
    this.transport.write('POST', '/agent/replay/backtest', { candidate, ...range }, options);

  run = (runId: string, moment: Moment): Promise<Answer<RunAt>> => this.transport.read(path`/agent/runs/${runId}/at`, { query: moment });
  approval = (approvalId: string, moment: Moment): Promise<Answer<ApprovalAt>> =>
    this.transport.read(path`/agent/approvals/${approvalId}/at`, { query: moment });
  autonomy = (moment: Moment): Promise<Answer<AutonomyAt>> => this.transport.read('/agent/autonomy/at', { query: moment });
  governance = (moment: Moment): Promise<Answer<GovernanceAt>> => this.transport.read('/agent/replay/governance', { query: moment });
  /** The rules that a run's `policySnapshotHash` stands for. */
  snapshot = (hash: string): Promise<Answer<GovernanceSnapshot>> => this.transport.read(path`/agent/governance/snapshots/${hash}`);
  stream = (streamId: string, moment: Moment): Promise<Answer<StreamAt>> =>
    this.transport.read(path`/agent/replay/streams/${streamId}`, { query: moment });
}
