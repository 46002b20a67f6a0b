import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Body } from '../e2e/server';
import { Client, type Addresses } from './client';
import type { Ledger } from './ledger';
import type { Random } from './random';

export type Keys = { readonly admin: string; readonly agent: string; readonly people: readonly [string, string] };
export type LoadOptions = {
  readonly keys: Keys;
  readonly addresses: Addresses;
  readonly ledger: Ledger;
  readonly random: Random;
  readonly clients: number;
};

const GOVERNANCE = 'governance-site_demo';
const PAUSE_MS = 150;
const ROLE = 'Writer';
const TOOLS = [['send', 3], ['put', 2], ['lookUp', 1], ['createItem', 2]] as const;
const SETTLED = new Set(['executed', 'failed', 'denied']);
/** Which event an answer is true by. */
const SAID_BY: Readonly<Record<string, readonly string[]>> = {
  executed: ['ToolCallSucceeded', 'IndeterminateResolved'], failed: ['ToolCallFailed', 'IndeterminateResolved'], pending_approval: ['ToolCallParked'], staged: ['ToolCallStaged'],
  denied: ['ToolCallDenied', 'RunResumed', 'IndeterminateResolved'],
};

/** What outside agents and people do all day, at random: it never waits for one another, and never stops for a fault. */
export class Load {
  private readonly stopping = new AbortController();
  private readonly admin: Client;
  private readonly agent: Client;
  private readonly people: readonly [Client, Client];
  private working: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LoadOptions) {
    const { keys, addresses, ledger, random } = options;
    const client = (key: string) => new Client(key, addresses, ledger, random.fork(), this.stopping.signal);
    this.admin = client(keys.admin);
    this.agent = client(keys.agent);
    this.people = [client(keys.people[0]), client(keys.people[1])];
  }

  start(): void {
    this.working = Promise.all(Array.from({ length: this.options.clients }, () => this.work(this.options.random.fork())));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.working;
  }

  private async work(random: Random): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await random.weighted([
        [() => this.item(random), 4], [() => this.external(random), 5], [() => this.later(random), 4], [() => this.asked(random), 3], [() => this.staged(random), 1], [() => this.freeze(random), 0.4],
      ] as const)();
      await sleep(random.below(PAUSE_MS));
    }
  }

  private async item(random: Random): Promise<void> {
    const { ledger } = this.options;
    const title = randomUUID();
    const body = { data: { sku: 'C-1', title } };
    ledger.titles.add(title);
    const answer = await this.people[0].ask('POST', 'items/products', body, { key: title });
    if (answer?.status === 201) ledger.acknowledge(answer.body, `item-${answer.body.data.id as string}`, ['ItemCreated'], title);
    if (answer && random.chance(0.3)) await this.people[0].repeat('POST', 'items/products', body, title, answer);
  }

  private async open(more: Body): Promise<{ readonly runId: string; readonly status: number } | undefined> {
    const title = randomUUID();
    const answer = await this.agent.ask('POST', 'agent/goals', { title, agentName: 'robot', ...more }, { key: title });
    if (!answer || ![201, 202, 503].includes(answer.status)) return undefined;
    const { runId, goalId } = answer.body.data as { runId: string; goalId: string };
    this.options.ledger.goals.add(goalId);
    if (answer.status !== 503) this.options.ledger.acknowledge(answer.body, `run-${runId}`, ['EnvelopeSealed'], goalId);
    return { runId, status: answer.status };
  }

  private argumentsFor(tool: string): Body {
    if (tool !== 'createItem') return { note: randomUUID() };
    const title = randomUUID();
    this.options.ledger.titles.add(title);
    return { collection: 'products', data: { sku: 'C-2', title } };
  }

  /** The same call id again until it is answered; the answer must be on record. */
  private async call(runId: string, tool: string, args: Body, callId = randomUUID()): Promise<Answer | undefined> {
    const answer = await this.agent.ask('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, callId }, { repeatable: true });
    if (answer?.status !== 200) return answer;
    const { status } = answer.body.data as { status: string };
    const types = SAID_BY[status];
    if (SETTLED.has(status)) this.options.ledger.became(runId, callId, status);
    if (types) this.options.ledger.acknowledge(answer.body, `run-${runId}`, types, callId);
    if (status === 'indeterminate') await this.resolve(runId, callId, this.options.random);
    return answer;
  }

  private async external(random: Random): Promise<void> {
    const run = await this.open(random.chance(0.5) ? { agentRole: ROLE } : {});
    if (!run) return;
    for (let left = 1 + random.below(5); left > 0; left--) {
      const tool = random.weighted(TOOLS);
      const [args, callId] = [this.argumentsFor(tool), randomUUID()];
      const answer = await this.call(run.runId, tool, args, callId);
      if (!answer || answer.status === 409) break;
      if (random.chance(0.2)) await this.call(run.runId, tool, args, callId);
    }
    const way = random.weighted([['complete', 5], ['fail', 1], ['cancel', 2], ['', 1]] as const);
    if (way) await this.agent.ask('POST', `agent/runs/${run.runId}/${way}`, way === 'fail' ? { reason: 'Enough' } : {});
  }

  private async later(random: Random): Promise<void> {
    const tool = random.weighted(TOOLS);
    const run = await this.open({ execution: 'async', task: { skillName: tool, arguments: this.argumentsFor(tool) } });
    if (run?.status !== 202) return;
    this.options.ledger.queued.add(run.runId);
    if (random.chance(0.15)) await this.agent.ask('POST', `agent/runs/${run.runId}/cancel`, {});
  }

  /** Two people decide at the same time, each as they like. */
  private async asked(random: Random): Promise<void> {
    const run = await this.open({ approvalPolicy: 'before_execute' });
    if (!run) return;
    const tool = random.weighted(TOOLS);
    const answer = await this.call(run.runId, tool, this.argumentsFor(tool));
    const approvalId = answer?.body?.data?.approvalId as string | undefined;
    if (answer?.body?.data?.status !== 'pending_approval' || !approvalId || random.chance(0.1)) return;
    if (random.chance(0.1)) await this.agent.ask('POST', `agent/runs/${run.runId}/cancel`, {});
    await Promise.all(this.people.map(async (person) => {
      const decision = random.chance(0.7) ? 'approved' : 'rejected';
      const decided = await person.ask('POST', `agent/approvals/${approvalId}/decide`, { decision });
      if (decided?.status === 200) this.options.ledger.acknowledge(decided.body, `approval-${approvalId}`, [decision === 'approved' ? 'ApprovalApproved' : 'ApprovalRejected'], '');
    }));
  }

  private async resolve(runId: string, callId: string, random: Random): Promise<void> {
    const answer = random.weighted([['happened', 2], ['failed', 1], ['not_happened', 2]] as const);
    const person = random.of(this.people);
    if (answer === 'not_happened') {
      const run = await person.ask('GET', `agent/runs/${runId}`);
      const call = (run?.body?.data?.toolCalls as Body[] | undefined)?.find((each: Body) => each.callId === callId);
      if (call?.approvalId) await person.ask('POST', `agent/approvals/${call.approvalId}/decide`, { decision: 'approved', reason: 'Nothing arrived' });
    } else await person.ask('POST', `agent/runs/${runId}/tool-calls/${callId}/resolve`, { answer, reason: 'Looked', ...(answer === 'happened' && { result: { found: true } }) });
  }

  private async staged(random: Random): Promise<void> {
    const run = await this.open({ agentRole: ROLE });
    if (!run) return;
    const made = await this.call(run.runId, 'createItem', this.argumentsFor('createItem'));
    const id = made?.body?.data?.result?.id as string | undefined;
    if (!id) return;
    const answer = await this.call(run.runId, 'updateItem', { collection: 'products', id, data: { price: random.below(100) } });
    const stagingId = answer?.body?.data?.stagingId as string | undefined;
    if (!stagingId) return;
    const ways = random.of([['veto'], ['commit-now'], ['veto', 'commit-now'], []] as const);
    await Promise.all(ways.map(async (way, nr) => {
      const ended = await this.people[nr]!.ask('POST', `agent/staged/${stagingId}/${way}`, {});
      if (ended?.status === 200 && way === 'veto') this.options.ledger.acknowledge(ended.body, `staging-${stagingId}`, ['StagingVetoed'], '');
    }));
  }

  private async freeze(random: Random): Promise<void> {
    const scope = random.chance(0.7) ? { scope: 'role', targetId: ROLE } : { scope: 'site' };
    const answer = await this.admin.ask('POST', 'agent/kill-switch', scope, { key: randomUUID() });
    if (answer?.status === 200) this.options.ledger.acknowledge(answer.body, GOVERNANCE, ['ScopeFrozen'], answer.body.data.freezeId as string);
    await sleep(random.below(250));
    await this.admin.ask('POST', 'agent/kill-switch/lift', scope, { key: randomUUID() });
  }
}
