import { setTimeout as sleep } from 'node:timers/promises';
import { DecideApproval, reviewerOf } from '@app/approvals/contract';
import type { Bus } from '@app/cqrs';
import type { Executor } from '@app/event-store';
import { OpenGoal } from '@app/goals/contract';
import { accept, atStep, may, type Context, type Outcome, type Principal, type Rejected } from '@app/kernel';
import { EndRun } from '@app/runs/contract';
import { isUsable, principal } from '@app/sites/contract';
import { RequestToolCall, type ToolCallAnswer } from '@app/tool-calls/contract';
import { artifact, workUnderWay, type KnownArtifact, type Work } from '../artifact.state';
import { endWork, type WorkEnd } from './end-work.decide';
import type { SiteContent } from './site-content';
import { callIdOf, type Step } from './step.schema';
import { openingCommand } from './undertaking';

/** Handler time of a whole run: every step has limits of its own. */
const RUN_TIMEOUT_MS = 3_600_000;
const PAUSE_MS = 50;

type Undertaken = { readonly artifact: KnownArtifact; readonly work: Work; readonly as: Principal; readonly context: Context };
/** `until` ends the waiting of this attempt, not the work: it is asked for again. */
type Progress = WorkEnd | { readonly is: 'later' };

/**
 * Carries out what publishing or a rollback has begun: its goal, then one tool call after the other through the door, as the principal that asked.
 * Every step has an id of its own on the run, so doing it twice, at once or after a crash, does nothing twice.
 */
export class ArtifactWorker {
  private readonly running = new Map<string, Promise<'done' | 'later'>>();

  constructor(
    private readonly executor: Executor,
    private readonly bus: Pick<Bus, 'send'>,
    private readonly content: Pick<SiteContent, 'others'>,
  ) {}

  /** `later` while something has to be waited for; it waits itself for as long as `withinMs`. */
  drive(artifactId: string, now: Date, withinMs: number): Promise<'done' | 'later'> {
    const running = this.running.get(artifactId) ?? this.carryOn(artifactId, now, performance.now() + withinMs).finally(() => this.running.delete(artifactId));
    this.running.set(artifactId, running);
    return running;
  }

  /** Ends the run of a publication that something else takes the place of, and waits until none of its calls is being made. */
  async abandon(work: Work, context: Context): Promise<Outcome<unknown>> {
    const { state } = await this.executor.current(principal, work.principalId);
    if (state.status === 'none') throw new Error(`There is no principal ${work.principalId}`);
    const wish = { to: 'cancel', reason: 'The artifact is rolled back' } as const;
    return this.bus.send(new EndRun(work.runId, wish, state.principal, atStep(context, `abandon:${work.workId}`)));
  }

  private async carryOn(artifactId: string, now: Date, until: number): Promise<'done' | 'later'> {
    const { state } = await this.executor.current(artifact, artifactId);
    const work = state.status === 'none' ? null : workUnderWay(state);
    if (state.status === 'none' || !work) return 'done';
    const { state: known } = await this.executor.current(principal, work.principalId);
    if (known.status === 'none') throw new Error(`There is no principal ${work.principalId}`);
    const { by } = work.does === 'publish' ? work.passed : work.taken;
    const actor = { kind: by.kind, id: by.id, ...(by.role !== undefined && { role: by.role }), ...(by.userId !== undefined && { userId: by.userId }) };
    const undertaken: Undertaken = { artifact: state, work, as: known.principal, context: { actor, siteId: state.siteId, now, correlationId: work.workId, commandId: work.workId } };
    const end: Progress = isUsable(known, now) ? await this.steps(undertaken, until) : { is: 'failed', done: work.done, reason: 'The key of whoever asked for it is no longer valid' };
    if (end.is === 'later') return 'later';
    await this.write(undertaken, end);
    return end.is === 'waiting' ? 'later' : 'done';
  }

  private async steps(undertaken: Undertaken, until: number): Promise<Progress> {
    const { work } = undertaken;
    const opened = await this.open(undertaken);
    if (!opened.ok) return mayChange(opened) ? { is: 'later' } : { is: 'failed', done: 0, reason: opened.rejection.detail };
    for (let nr = work.done; nr < work.steps.length; ) {
      const answer = await this.step(undertaken, work.steps[nr]!, nr);
      if (answer === 'executed') nr += 1;
      else if (answer !== 'again') return answer;
      if (answer === 'again' || nr < work.steps.length) {
        if (performance.now() > until) return { is: 'later' };
        if (answer === 'again') await sleep(PAUSE_MS);
      }
    }
    return { is: 'done' };
  }

  /** `again`: the same call is asked for once more, because its outcome is not known yet. */
  private async step(undertaken: Undertaken, step: Step, nr: number): Promise<'executed' | 'again' | Progress> {
    const { work, as, context, artifact: { siteId } } = undertaken;
    const failed = (reason: string): WorkEnd => ({ is: 'failed', done: nr, reason: `Step ${nr + 1}, ${step.tool} of ${nameOf(step)}: ${reason}`.slice(0, 2_000) });
    const inUse = work.does === 'rollback' && (await this.inUse(step, siteId));
    if (inUse) return failed(`${inUse}; roll back again to keep it`);
    const { tool, arguments: given } = step;
    const answer = await this.bus.send(new RequestToolCall(work.runId, { tool, arguments: given, callId: callIdOf(nr) }, as, atStep(context, callIdOf(nr))));
    if (!answer.ok) return mayChange(answer) && answer.rejection.code !== 'RUN_TERMINAL' ? 'again' : failed(answer.rejection.detail);
    const { status, rule, reason, facts, approvalId } = answer.data;
    switch (status) {
      case 'executed':
        return 'executed';
      case 'pending_approval':
        if (approvalId !== undefined && approvalId !== work.approvalId && (await this.agree(undertaken, answer.data))) return 'again';
        return { is: 'waiting', done: nr, approvalId: approvalId! };
      case 'denied':
      case 'failed':
        return failed(`${status}, ${reason ?? 'without a reason'}${facts === undefined ? '' : ` ${JSON.stringify(facts)}`}`);
      // Too much at the moment, or outside of a window: whoever looks again later asks again.
      case 'deferred':
        return { is: 'later' };
      default:
        return rule === 'worker_lost' && approvalId !== undefined ? { is: 'waiting', done: nr, approvalId } : 'again';
    }
  }

  /**
   * Whoever publishes or rolls back wants these calls, so one that the door asks about is agreed to in that person's name, when the person may decide
   * it; the site's rules say so, as for every other decision. What is to be looked at by itself, or by somebody else, waits for that.
   */
  private async agree({ artifact: { artifactId }, work, as, context }: Undertaken, { approvalId, actionDigest }: ToolCallAnswer): Promise<boolean> {
    if (as.kind === 'agent' || !may(as, 'approvals:decide')) return false;
    const body = { decision: 'approved', reason: `${work.does === 'publish' ? 'Publishes' : 'Rolls back'} ${artifactId}`, ...(actionDigest !== undefined && { actionDigest }) } as const;
    const decided = await this.bus.send(new DecideApproval(approvalId!, body, atStep(context, `agree:${approvalId}`), reviewerOf(as, context.actor, 'batch')));
    return decided.ok ? decided.data.status !== 'pending' : decided.rejection.code === 'ALREADY_DECIDED';
  }

  /** What came into a collection since the rollback was planned is not destroyed with it. */
  private async inUse({ tool, arguments: given }: Step, siteId: string): Promise<string | undefined> {
    if (tool === 'deleteCollection') {
      const held = await this.content.others(siteId, String(given['name']));
      return held?.count === 0 ? undefined : `${String(given['name'])} holds items now`;
    }
    if (tool !== 'deleteField') return undefined;
    const held = await this.content.others(siteId, String(given['collection']));
    return held?.fields.includes(String(given['field'])) === false ? undefined : 'items hold a value for it now';
  }

  private open({ artifact: { title }, work, as, context }: Undertaken) {
    const collections = [...new Set(work.steps.map(nameOf))].slice(0, 100);
    const goal = {
      title: `${work.does === 'publish' ? 'Publish' : 'Roll back'} ${title}`, agentName: 'artifacts', ...(as.agentRole !== undefined && { agentRole: as.agentRole }),
      budget: { maxToolCalls: work.steps.length, timeoutMs: RUN_TIMEOUT_MS }, context: { collections },
    };
    return this.bus.send(new OpenGoal(goal, as, { ...context, ...openingCommand(work.workId) }, { origin: 'user' }));
  }

  /** First the run, then the word on the artifact: until that is written the work is driven again, and finds its run ended. */
  private async write({ artifact: { artifactId }, work, as, context }: Undertaken, end: WorkEnd): Promise<void> {
    if (end.is !== 'waiting') {
      const wish = end.is === 'done' ? { to: 'complete', result: { artifactId, steps: work.steps.length } } as const : { to: 'fail', reason: end.reason } as const;
      const ended: Outcome<unknown> = await this.bus.send(new EndRun(work.runId, wish, as, atStep(context, 'end')));
      if (!ended.ok && ended.rejection.kind === 'unavailable') throw new Error(ended.rejection.detail);
    }
    const ran = { ...atStep(context, end.is === 'waiting' ? `waiting:${end.approvalId}` : end.is), runId: work.runId, goalId: work.goalId };
    const done = await this.executor.execute({ artifact: { aggregate: artifact, id: artifactId } }, ran, (states) => {
      const decision = endWork(states.artifact, work.workId, end, context.now);
      return decision.ok ? accept({ artifact: decision.events }) : decision;
    });
    if (!done.ok) throw new Error(done.rejection.detail);
  }
}

const nameOf = ({ arguments: given }: Step) => String(given['collection'] ?? given['name']);

/** A freeze is lifted, a database comes back, a race is over. */
const mayChange = ({ rejection: { kind } }: Rejected) => kind === 'frozen' || kind === 'unavailable' || kind === 'conflict';
