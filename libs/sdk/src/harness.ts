import { Activity } from './activity';
import { ApiKeys } from './api-keys';
import { Approvals } from './approvals';
import { Artifacts } from './artifacts';
import { Audit } from './audit';
import { Autonomy } from './autonomy';
import { Cdc } from './cdc';
import { Transport, type HarnessOptions, type WriteOptions } from './connection/transport';
import { Constitution } from './constitution';
import { Collections, Items } from './content';
import { Deployments } from './deployments';
import { Desk } from './desk';
import { Flows } from './flows';
import { Memories } from './memory';
import { Privacy } from './privacy';
import { Goals, type CreateGoal, type StartGoal } from './goals';
import { HealthChecks } from './health';
import { Incidents } from './incidents';
import { Intents } from './intents';
import { KillSwitch } from './kill-switch';
import { Ops } from './ops';
import { Policies } from './policies';
import { Promotions } from './promotions';
import { Replay } from './replay';
import { Roles } from './roles';
import { Run, Runs } from './run';
import { Sites } from './sites';
import { Staged } from './staged';
import { Tools } from './tools';
import { Users } from './users';
import { work, type WorkerOptions } from './worker';

/**
 * A connection to one harness, as one principal.
 * Writes answer `{data, position}` and may be repeated safely: each carries an idempotency key that its retries share. Reads wait for what
 * this connection has written. Failures are `HarnessError`.
 */
export class Harness {
  readonly goals: Goals;
  readonly runs: Runs;
  readonly approvals: Approvals;
  readonly artifacts: Artifacts;
  readonly staged: Staged;
  readonly autonomy: Autonomy;
  readonly promotions: Promotions;
  readonly incidents: Incidents;
  readonly roles: Roles;
  readonly constitution: Constitution;
  readonly killSwitch: KillSwitch;
  readonly activity: Activity;
  readonly intents: Intents;
  readonly flows: Flows;
  readonly cdc: Cdc;
  readonly deployments: Deployments;
  readonly desk: Desk;
  readonly memory: Memories;
  readonly privacy: Privacy;
  readonly tools: Tools;
  readonly collections: Collections;
  readonly apiKeys: ApiKeys;
  readonly users: Users;
  readonly sites: Sites;
  readonly audit: Audit;
  readonly policies: Policies;
  readonly replay: Replay;
  readonly ops: Ops;
  readonly health: HealthChecks;
  private readonly transport: Transport;

  constructor(options: HarnessOptions) {
    const transport = new Transport(options);
    this.transport = transport;
    this.goals = new Goals(transport);
    this.runs = new Runs(transport);
    this.approvals = new Approvals(transport);
    this.artifacts = new Artifacts(transport);
    this.staged = new Staged(transport);
    this.autonomy = new Autonomy(transport);
    this.promotions = new Promotions(transport);
    this.incidents = new Incidents(transport);
    this.roles = new Roles(transport);
    this.constitution = new Constitution(transport);
    this.killSwitch = new KillSwitch(transport);
    this.activity = new Activity(transport);
    this.intents = new Intents(transport);
    this.flows = new Flows(transport);
    this.cdc = new Cdc(transport);
    this.deployments = new Deployments(transport);
    this.desk = new Desk(transport);
    this.memory = new Memories(transport);
    this.privacy = new Privacy(transport);
    this.tools = new Tools(transport);
    this.collections = new Collections(transport);
    this.apiKeys = new ApiKeys(transport);
    this.users = new Users(transport);
    this.sites = new Sites(transport);
    this.audit = new Audit(transport);
    this.policies = new Policies(transport);
    this.replay = new Replay(transport);
    this.ops = new Ops(transport);
    this.health = new HealthChecks(transport);
  }

  /** Opens a goal and its run in one step; without a task, the caller drives the run. */
  async goal(goal: CreateGoal, options?: WriteOptions): Promise<Run> {
    const { data } = await this.goals.create(goal, options);
    return new Run(this.transport, data.runId, data.goalId);
  }

  /** Takes up an open goal: a run that the caller drives. */
  async startGoal(goalId: string, starter: StartGoal, options?: WriteOptions): Promise<Run> {
    const { data } = await this.goals.start(goalId, starter, options);
    return new Run(this.transport, data.runId, data.goalId);
  }

  /**
   * Carries out calls of tools of kind `worker` until the signal aborts: takes them, says that it is alive while it works, and hands in the
   * outcome. Breaks and restarts of the server are waited out; a refusal, such as a capability that is missing, rejects.
   */
  worker = (options: WorkerOptions): Promise<void> => work(this.transport, options);

  /** The handle of a run that exists, for example after a restart. Sends nothing. */
  run = (runId: string): Run => new Run(this.transport, runId);

  items = (collection: string): Items => new Items(this.transport, collection);

  /** The highest log position this connection wrote or saw; undefined before that. */
  get position(): string | undefined {
    return this.transport.positions.last;
  }
}
