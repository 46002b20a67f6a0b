import type { Bus } from '@app/cqrs';
import type { Consumers, Database, Executor } from '@app/event-store';
import type { Context, Recorded } from '@app/kernel';
import { deadlineCommand, Deadlines, type Deadline, type Fired } from '@app/scheduler';
import { FlowDriver } from '../drive-flow/flow-driver';
import type { FlowEvent } from '../flow.events';
import { StartFlow } from '../start-flow/start-flow.command';
import { flowDeadlines, flowOf } from './flow-deadlines.process';
import { FlowTriggers } from './flow-triggers';

export type FlowScheduleOptions = {
  readonly db: Database;
  readonly consumers: Consumers;
  readonly executor: Executor;
  readonly bus: Pick<Bus, 'send'>;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

const SCHEDULER = 'flows';
/** A deadline holds its row for half a minute at most; work that takes longer goes on beside it and is asked for again. */
const WAIT_MS = 2_000;
/** How long running operations may take to finish when the process is told to stop. What is cut off is found by its missing outcome. */
const STOP_WITHIN_MS = 30_000;

/** Runs flows when they are due: by their schedule, by an event, or because somebody said so. Any number of processes may run it. */
export class FlowSchedule {
  private readonly deadlines: Deadlines;
  private readonly triggers: FlowTriggers;
  private readonly driver: FlowDriver;
  private readonly driving = new Map<string, Promise<'done' | 'later'>>();
  private stopping = false;

  constructor(private readonly options: FlowScheduleOptions) {
    const { db, consumers, executor, bus, onError, now } = options;
    this.driver = new FlowDriver(executor, bus);
    this.triggers = new FlowTriggers(SCHEDULER, consumers);
    this.deadlines = new Deadlines({
      name: SCHEDULER, db, consumers, onError, ...(now && { now }),
      filter: { categories: ['flow'] },
      changes: (event: Recorded) => flowDeadlines(event as unknown as Recorded<FlowEvent>),
      fire: (deadline, at) => (deadline.topic === 'work' ? this.work(flowOf(deadline.key), at) : this.begin(deadline, at)),
    });
  }

  start(): void {
    this.triggers.start();
    this.deadlines.start();
  }

  /** Waits for operations that are running; what follows them is left to the next start. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.deadlines.stop();
    await this.triggers.stop();
    await withLimit(Promise.allSettled(this.driving.values()), STOP_WITHIN_MS, undefined);
  }

  /** While a flow is running its next occurrence waits: late, and once. */
  private async begin(deadline: Deadline, now: Date): Promise<Fired> {
    const { key, siteId, topic, dueAt } = deadline;
    const cause = topic === 'cron' ? 'cron' : 'event';
    const commandId = deadlineCommand('flow', deadline, `flow:${key}:${cause === 'cron' ? dueAt.getTime() : topic}`);
    const context: Context = { actor: { kind: 'service', id: 'flow-schedule' }, siteId, now, correlationId: commandId, commandId, repeatable: true };
    const started = await this.options.bus.send(new StartFlow(flowOf(key), cause, context));
    if (started.ok) return 'done';
    const { kind, detail } = started.rejection;
    if (kind === 'conflict') return 'later';
    if (kind === 'missing' || kind === 'gone') return 'done';
    throw new Error(`Flow ${flowOf(key)} could not be started: ${detail}`);
  }

  private async work(flowId: string, now: Date): Promise<Fired> {
    const running = this.driving.get(flowId) ?? this.driver.drive(flowId, now, () => !this.stopping).finally(() => this.driving.delete(flowId));
    this.driving.set(flowId, running);
    // A failure while the deadline waits is told by it; one that comes later would be lost without this.
    let waited = false;
    running.catch((error: unknown) => waited && this.options.onError(error));
    return withLimit(running, WAIT_MS, 'later' as const).finally(() => (waited = true));
  }
}

const withLimit = async <T, Late>(work: Promise<T>, ms: number, late: Late): Promise<T | Late> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Late>((settle) => {
    timer = setTimeout(() => settle(late), ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};
