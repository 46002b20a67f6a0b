import type { RetriedRun } from '@app/goals/contract';
import type { EndedRun, RunRow, RunView } from '@app/runs/contract';
import { Approvals } from './approvals';
import { authorise, carryOut, type Arguments, type Authorised, type CarryOutOptions, type ClientWork } from './carry-out';
import { follow } from './connection/follow';
import { parsed } from './connection/message';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';
import type { LogEvent } from './log-event';
import type { CallOutcome } from './outcome';
import type { ToolCallResult } from './tool-call';
import type { Tool } from './tools';
import { settleApproval, type SettledApproval } from './wait-for-approval';
import { awaitEnd, FINAL_EVENTS, hasEnded } from './wait-for-end';

export type CallOptions = WriteOptions & {
  /** Names the call: asked again, it answers what was recorded and never runs twice. Without it an equal pending call is joined. */
  readonly callId?: string | undefined;
};
export type StreamOptions = {
  /** Only events after this position. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What a person found out about a call whose worker was lost. `result`: what the tool gave, if anybody knows. */
export type Resolution =
  | { readonly answer: 'happened'; readonly result?: unknown; readonly reason?: string }
  | { readonly answer: 'not_happened'; readonly reason?: string }
  | { readonly answer: 'failed'; readonly reason: string };

export type RunToken = { readonly runId: string; readonly token: string; readonly expiresAt: string };

/** What shall be different in a fork. */
export type ForkOverrides = {
  readonly agentName?: string;
  readonly budget?: Partial<RunView['envelope']['budget']>;
  readonly autonomyCap?: number;
  readonly approvalPolicy?: RunView['envelope']['approvalPolicy'];
};

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

  /** For a tool of kind `client`: asks the door, does the work here when it is allowed, and reports the outcome; otherwise what the door answered. */
  carryOut = (tool: string, args: Arguments, work: ClientWork, options: CarryOutOptions = {}): Promise<ToolCallResult> =>
    carryOut(this, this.#approvalOf, tool, args, work, options);

  /** For a tool of kind `client` that something else carries out, which asks first and tells later: whether it may, and with which arguments. Then `report`. */
  authorise = (tool: string, args: Arguments, options: CarryOutOptions & { readonly callId: string }): Promise<Authorised> => authorise(this, this.#approvalOf, tool, args, options);

  #approvalOf = (id: string, signal: AbortSignal | undefined) => new Approvals(this.transport).get(id, { signal });

  /** The outcome of a call that was left to the agent. The first report counts; later ones are answered with it. */
  report = (callId: string, outcome: CallOutcome, options?: WriteOptions): Promise<Answer<ToolCallResult>> =>
    this.transport.write('POST', path`/agent/runs/${this.runId}/tool-calls/${callId}/outcome`, outcome, options);

  /** Says what became of a call that is `indeterminate` because its worker was lost. For people who may decide approvals. */
  resolve = (callId: string, resolution: Resolution, options?: WriteOptions): Promise<Answer<ToolCallResult>> =>
    this.transport.write('POST', path`/agent/runs/${this.runId}/tool-calls/${callId}/resolve`, resolution, options);

  /** A key to this run alone, for whatever drives it; at most an hour, a quarter of one by default. A token is given out once. */
  token = (ttlSeconds?: number, options?: WriteOptions): Promise<Answer<RunToken>> =>
    this.transport.write('POST', path`/agent/runs/${this.runId}/token`, ttlSeconds === undefined ? {} : { ttlSeconds }, options);

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
    const { data } = await this.transport.write<{ runId: string; goalId: string }>('POST', path`/agent/runs/${this.runId}/fork`, { atCallId, overrides }, options);
    return new Run(this.transport, data.runId, data.goalId);
  };

  get = async (options?: ReadOptions): Promise<RunView> =>
    (await this.transport.read<RunView>(path`/agent/runs/${this.runId}`, options)).data;

  /** Everything that has happened in the run so far, oldest first. */
  async events({ signal }: Pick<StreamOptions, 'signal'> = {}): Promise<readonly LogEvent[]> {
    const events: LogEvent[] = [];
    for await (const event of this.eachEvent({ limit: 200 }, { signal })) events.push(event);
    return events;
  }

  eventPage = (query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<LogEvent>> => this.transport.page(path`/agent/runs/${this.runId}/events`, { ...options, query });

  eachEvent = (query: ListQuery = {}, options: ReadOptions = {}): AsyncGenerator<LogEvent> => everyRow((cursor) => this.eventPage({ ...query, cursor }, options));

  /** What the run may ask for now, to be handed to a model as its tools. */
  tools = (query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<Tool>> => this.transport.page(path`/agent/runs/${this.runId}/tools`, { ...options, query });

  eachTool = (query: ListQuery = {}, options: ReadOptions = {}): AsyncGenerator<Tool> => everyRow((cursor) => this.tools({ ...query, cursor }, options));

  /**
   * The run's events as they happen, each once, across reconnects and server restarts. Ends with the run, or when the signal aborts.
   * To go on after a restart of this process, pass the position of the last event handled.
   */
  async *stream({ after, signal }: StreamOptions = {}): AsyncGenerator<LogEvent> {
    const finished = async () => hasEnded(await this.get({ signal }));
    for await (const message of follow(this.transport, path`/agent/runs/${this.runId}/stream`, { after, signal, finished })) {
      const event = parsed<LogEvent>(message);
      yield event;
      if (FINAL_EVENTS.has(event.type)) return;
    }
  }

  /** Resolves when the run has ended, with how. Waits on the event stream, so it costs nothing meanwhile, and may be called again after a restart. */
  waitForEnd = ({ signal }: Pick<StreamOptions, 'signal'> = {}): Promise<RunView> =>
    awaitEnd((options) => this.transport.read(path`/agent/runs/${this.runId}`, options), (after, stop) => this.stream({ after, signal: stop }), signal);

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

  list = (query: RunQuery = {}, options: ReadOptions = {}): Promise<Page<RunRow>> => this.transport.page('/agent/runs', { ...options, query });

  each = (query: RunQuery = {}, options: ReadOptions = {}): AsyncGenerator<RunRow> => everyRow((cursor) => this.list({ ...query, cursor }, options));
}
