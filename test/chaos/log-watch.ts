import { verifyChain } from '@app/event-store';
import type { Pool } from 'pg';
import { rowsAfter, type EventRow } from './event-row';
import type { Acknowledged, Ledger } from './ledger';

/** After each round: what came in since the last look is dense, chained, and holds all that was acknowledged. */
export class LogWatch {
  head = 0n;
  acknowledged = 0;
  private readonly streams = new Map<string, EventRow[]>();
  private readonly itemTitles = new Map<string, string>();

  constructor(private readonly pool: Pool, private readonly ledger: Ledger) {}

  async look(): Promise<readonly string[]> {
    const from = this.head;
    // Taken before the rows are read, so that each of them must be there.
    const told = this.ledger.acknowledged.slice(this.acknowledged);
    const rows = await rowsAfter(this.pool, from);
    const found = [...this.dense(rows), ...this.once(rows), ...this.held(told)];
    this.acknowledged += told.length;
    const verdict = await verifyChain(this.pool, { after: from });
    return verdict.ok ? found : [...found, `The chain breaks at ${verdict.position}: ${verdict.reason}`];
  }

  private dense(rows: readonly EventRow[]): string[] {
    const violations: string[] = [];
    for (const row of rows) {
      const { position, stream_id: stream, version } = row;
      if (BigInt(position) !== this.head + 1n) violations.push(`Position ${position} follows ${this.head}`);
      this.head = BigInt(position);
      const before = this.streams.get(stream) ?? [];
      if (BigInt(version) !== BigInt(before.length) + 1n) violations.push(`Version ${version} of ${stream} follows ${before.length}`);
      before.push(row);
      this.streams.set(stream, before);
    }
    return violations;
  }

  /** Titles are made for one request each. */
  private once(rows: readonly EventRow[]): string[] {
    return rows.filter(({ type }) => type === 'ItemCreated').flatMap(({ position, data }) => {
      const title = data.data.title as string;
      const before = this.itemTitles.get(title);
      this.itemTitles.set(title, position);
      return before === undefined ? [] : [`The item ${title} was created at ${before} and at ${position}`];
    });
  }

  private held(told: readonly Acknowledged[]): string[] {
    return told.filter(({ position, stream, types, holds }) =>
      position > this.head || !this.streams.get(stream)?.some((row) => BigInt(row.position) <= position && types.includes(row.type) && row.text.includes(holds)),
    ).map(({ position, stream, types }) => `Acknowledged at ${position}, but ${stream} has no ${types.join(' or ')}`);
  }
}
