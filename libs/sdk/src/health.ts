import type { Transport } from './connection/transport';

export type Health = { readonly ok: boolean; readonly status: number; readonly details: unknown };

/** Answers `ok: false` for a server that says no; a server that cannot be reached is a `NETWORK` error. Never retried. */
export class HealthChecks {
  constructor(private readonly transport: Transport) {}

  /** The process runs. */
  live = (signal?: AbortSignal): Promise<Health> => this.#check('/health/live', signal);

  /** The log is writable and the read models have caught up. */
  ready = (signal?: AbortSignal): Promise<Health> => this.#check('/health/ready', signal);

  async #check(path: string, signal?: AbortSignal): Promise<Health> {
    const { status, body } = await this.transport.probe(path, signal);
    let details: unknown = null;
    try {
      details = JSON.parse(body);
    } catch {
      // A balancer may answer in its own words; the status is what counts.
    }
    return { ok: status >= 200 && status < 300, status, details };
  }
}
