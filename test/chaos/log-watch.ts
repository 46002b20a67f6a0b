import { verifyChain } from '@app/event-store';
import type { Pool } from 'pg';
import { rowsAfter, type EventRow } from './event-row';
import type { Acknowledged, Ledger } from './ledger';

/** After each round: what came in since the last look is dense, chained, and holds all that was acknowledged. */
export class LogWatch {
  head = 0n;
  acknowledged = 0;
  private readonly versions = new Map<string, bigint>();
  private readonly itemTitles = new Map<string, string>();

  constructor(private readonly pool: Pool, private readonly ledger: Ledger) {}

  async look(): Promise<readonly string[]> {
    const from = this.head;
    // Taken before the rows are read, so that each of them must be there.
    const told = this.ledger.acknowledged.slice(this.acknowledged);
    const rows = await rowsAfter(this.pool, from);
    const found = [...this.dense(rows), ...this.once(rows), ...(await this.held(told, rows, from))];
    this.acknowledged += told.length;
    const verdict = await verifyChain(this.pool, { after: from });
    return verdict.ok ? found : [...found, `The chain breaks at ${verdict.position}: ${verdict.reason}`];
  }

  private dense(rows: readonly EventRow[]): string[] {
    const violations: string[] = [];
    for (const { position, stream_id: stream, version } of rows) {
      if (BigInt(position) !== this.head + 1n) violations.push(`Position ${position} follows ${this.head}`);
      this.head = BigInt(position);
      const before = this.versions.get(stream) ?? 0n;
      if (BigInt(version) !== before + 1n) violations.push(`Version ${version} of ${stream} follows ${before}`);
      this.versions.set(stream, BigInt(version));
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

  private async held(told: readonly Acknowledged[], rows: readonly EventRow[], from: bigint): Promise<string[]> {
    const at = new Map(rows.map((row) => [BigInt(row.position), row]));
    const violations: string[] = [];
    for (const { position, types, holds } of told) {
      const row = at.get(position) ?? (position <= from ? await this.stored(position) : undefined);
      if (!row) violations.push(`Acknowledged, but not in the log: position ${position}`);
      else if (types.length > 0 && !types.includes(row.type)) violations.push(`Position ${position} was acknowledged as ${types.join(' or ')} and is ${row.type}`);
      else if (!row.text.includes(holds)) violations.push(`Position ${position} does not hold what was acknowledged`);
    }
    return violations;
  }

  private async stored(position: bigint): Promise<EventRow | undefined> {
    return (await rowsAfter(this.pool, position - 1n))[0];
  }
}
