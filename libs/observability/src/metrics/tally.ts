import { AGENT_METRICS, type AgentMetric } from './agent-metrics';
import type { BoundedLabels } from './bounded-labels';
import { bucketOf, SUM, type Family } from './family';

/** What is remembered of an open run, call or approval until it ends: its name in the metrics, and since when it is open. */
export type Subject = { readonly key: string; readonly name: string; readonly since: string; /** Key of the run that ends it, too. */ readonly owner: string };

export type Increment = { readonly metric: string; readonly values: readonly string[]; readonly part: string; readonly by: number };

/** What a batch of events adds to the metrics, summed up; nothing is written until the batch is over. */
export class Tally {
  private readonly sums = new Map<string, { readonly metric: string; readonly values: readonly string[]; readonly part: string; by: number }>();
  private readonly opened = new Map<string, Subject>();
  private readonly closed = new Set<string>();
  private readonly closedOwners = new Set<string>();

  constructor(
    private readonly known: ReadonlyMap<string, Subject>,
    private readonly labels: BoundedLabels,
  ) {}

  add(metric: AgentMetric, values: readonly string[] = [], by = 1): void {
    this.sum(AGENT_METRICS[metric], values, '', by);
  }

  observe(metric: AgentMetric, values: readonly string[], seconds: number): void {
    const family = AGENT_METRICS[metric];
    this.sum(family, values, bucketOf(family, seconds), 1);
    this.sum(family, values, SUM, seconds);
  }

  subject(key: string): Subject | undefined {
    if (this.opened.has(key)) return this.opened.get(key);
    const known = this.closed.has(key) ? undefined : this.known.get(key);
    return known && this.closedOwners.has(known.owner) ? undefined : known;
  }

  remember(subject: Subject): void {
    this.opened.set(subject.key, subject);
  }

  forget(key: string): void {
    this.opened.delete(key);
    this.closed.add(key);
  }

  forgetOwnedBy(owner: string): void {
    this.closedOwners.add(owner);
    for (const [key, subject] of this.opened) if (subject.owner === owner) this.opened.delete(key);
  }

  result() {
    return {
      increments: [...this.sums.values()] as readonly Increment[],
      opened: [...this.opened.values()] as readonly Subject[],
      closed: [...this.closed].filter((key) => !this.opened.has(key)),
      closedOwners: [...this.closedOwners],
      admitted: this.labels.admitted,
    };
  }

  private sum({ name, labels }: Family, raw: readonly string[], part: string, by: number) {
    const values = raw.map((value, i) => this.labels.bound(labels[i]!, value));
    const key = JSON.stringify([name, values, part]);
    const sum = this.sums.get(key);
    if (sum) sum.by += by;
    else this.sums.set(key, { metric: name, values, part, by });
  }
}
