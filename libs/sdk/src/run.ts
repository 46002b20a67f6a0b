import type { ForkedRun, ForkRunBody, RetriedRun } from '@app/goals/contract';
import type { EndedRun, RunRow, RunView } from '@app/runs/contract';
import { follow } from './connection/follow';
import { parsed } from './connection/message';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';
import type { LogEvent } from './log-event';
import type { ToolCallResult } from './tool-call';
import { settleApproval, type SettledApproval } from './wait-for-approval';

const FINAL_EVENTS = new Set(['RunSucceeded', 'RunFailed', 'RunCancelled', 'RunDeadLettered']);
const FINAL_STATUSES = new Set(['succeeded', 'failed', 'cancelled']);

export type CallOptions = WriteOptions & {
  /** Names the call: asked again, it answers what was recorded and never runs twice. Without it an equal pending call is joined. */
  readonly callId?: string | undefined;
};
export type StreamOptions = {
  /** Only events after this position. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What shall be different in a fork. */
export type ForkOverrides = Partial<ForkRunBody['overrides']>;

/** One run. The handle holds no state of its own, so a restarted process goes on with `harness.run(runId)`. */
export class Run {
  constructor(
    private readonly transport: Transport,
    readonly runId: string,
    readonly goalId?: string,
  ) {}

  /** Asks the door for one tool call. */
  async call(
    tool: string,
    args: Readonly<Record<string, unknown>> = {},
    { callId, ...options }: CallOptions = {},
  ): Promise<ToolCallResult & { readonly position: string }> {
    const body = { tool, arguments: args, ...(callId === undefined ? {} : { callId }) };
    const { data, position } = await this.transport.write<ToolCallResult>(
      'POST',
      path`/agent/runs/${this.runId}/tool-calls`,
      body,
      options,
    );
    return { ...data, position };
  }

  complete = (result?: unknown, options?: WriteOptions): Promise<Answer<EndedRun>> =>
    this.transport.write('POST', path`/agent/runs/${this.runId}/complete`, result === undefined ? {} : { result }, options);

  fail = (reason: string, options?: WriteOptions): Promise<Answer<EndedRun>> =>
    this.transport.write('POST', path`/agent/runs/${this.runId}/fail`, { reason }, options);

  cancel = (reason?: string, options?: WriteOptions): Promise<Answer<EndedRun>> =>
    this.transport.write('POST', path`/agent/runs/${this.runId}/cancel`, reason === undefined ? {} : { reason }, options);

  /** The task of this run once more, in a new goal and run; for a run that has ended. */
  retry = (options?: WriteOptions): Promise<Answer<RetriedRun>> => this.transport.write('POST', path`/agent/runs/${this.runId}/retry`, {}, options);

  /** A run that begins with the history of this one: calls before `atCallId` are answered from it when they are asked for under their ids. */
  fork = async (atCallId: string, overrides: ForkOverrides = {}, options?: WriteOptions): Promise<Run> => {
    const { data } = await this.transport.write<ForkedRun>('POST', path`/agent/runs/${this.runId}/fork`, { atCallId, overrides }, options);
    return new Run(this.transport, data.runId, data.goalId);
  };

  get = async (options?: ReadOptions): Promise<RunView> =>
    (await this.transport.read<RunView>(path`/agent/runs/${this.runId}`, options)).data;

  /** Everything that has happened in the run so far, oldest first. */
  async events(): Promise<readonly LogEvent[]> {
    const events: LogEvent[] = [];
    const page = (cursor: string | undefined) =>
      this.transport.page<LogEvent>(path`/agent/runs/${this.runId}/events`, { query: { limit: 200, cursor } });
    for await (const event of everyRow(page)) events.push(event);
    return events;
  }

  /**
   * The run's events as they happen, each once, across reconnects and server restarts. Ends with the run, or when the signal aborts.
   * To go on after a restart of this process, pass the position of the last event handled.
   */
  async *stream({ after, signal }: StreamOptions = {}): AsyncGenerator<LogEvent> {
    const finished = async () => FINAL_STATUSES.has((await this.get({ signal })).status);
    for await (const message of follow(this.transport, path`/agent/runs/${this.runId}/stream`, { after, signal, finished })) {
      const event = parsed<LogEvent>(message);
      yield event;
      if (FINAL_EVENTS.has(event.type)) return;
    }
  }

  /**
   * Resolves when a person (or a deadline, or the end of the run) has settled the approval; an approved call has run by then and is in
   * `call`. Waits on the event stream, so it costs nothing while nobody decides, and may be called again after a restart.
   */
  waitForApproval = (approvalId: string, options: Pick<StreamOptions, 'signal'> = {}): Promise<SettledApproval> =>
    settleApproval(this.transport, (after, signal) => this.stream({ after, signal }), approvalId, options.signal);
}

export type { EndedRun, RunRow, RunView };

export type RunQuery = ListQuery & {
  readonly status?: RunRow['status'] | undefined;
  readonly goalId?: string | undefined;
  readonly agentRole?: string | undefined;
  readonly agentName?: string | undefined;
};

export class Runs {
  constructor(private readonly transport: Transport) {}

  list = (query: RunQuery = {}): Promise<Page<RunRow>> => this.transport.page('/agent/runs', { query });

  each = (query: RunQuery = {}): AsyncGenerator<RunRow> => everyRow((cursor) => this.list({ ...query, cursor }));
}
