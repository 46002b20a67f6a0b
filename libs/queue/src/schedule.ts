import { Cron } from 'croner';
import { Pause } from './pause';

export type ScheduleOptions = {
  readonly cron: string;
  readonly timeZone: string;
  readonly now: () => Date;
  /** How often the clock is looked at: a timer set for a far time would not notice that the clock was changed. */
  readonly lookMs: number;
  /** True when the time is on record, by whichever process; else it is asked again. */
  readonly fire: (at: Date) => Promise<boolean>;
};

/** Walks the times of a cron expression. Every process does, and the time itself is the job's id, so it does not matter who comes first. */
export class Schedule {
  private readonly times: Cron;
  private readonly pause = new Pause();
  private stopped = false;
  private readonly walking: Promise<void>;

  /** Throws when the expression or the zone is not valid, or has no time to come. */
  constructor(private readonly options: ScheduleOptions) {
    this.times = new Cron(options.cron, { timezone: options.timeZone, paused: true });
    const first = this.times.nextRun(options.now());
    if (!first) throw new TypeError(`The cron expression ${options.cron} has no time to come.`);
    this.walking = this.walk(first);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.wake();
    await this.walking;
  }

  private async walk(first: Date): Promise<void> {
    const { now, lookMs, fire } = this.options;
    for (let next: Date | null = first; next && !this.stopped; await this.pause.atMost(lookMs)) {
      const at = now();
      if (at < next || !(await fire(next))) continue;
      next = this.times.nextRun(at > next ? at : next);
    }
  }
}
