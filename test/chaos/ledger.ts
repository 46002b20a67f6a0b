import type { Body } from '../e2e/server';

/** What a client was told: up to this position the stream has an event of one of these types that holds this text. */
export type Acknowledged = { readonly position: bigint; readonly stream: string; readonly types: readonly string[]; readonly holds: string };

/** Everything that clients were told, for the comparison with the log. */
export class Ledger {
  readonly acknowledged: Acknowledged[] = [];
  /** Titles of items that were sent, whatever came of them: none may be there twice. */
  readonly titles = new Set<string>();
  readonly goals = new Set<string>();
  /** Runs whose task the queue carries out. */
  readonly queued = new Set<string>();
  /** What a call was said to have become, for each answer that was final. */
  readonly outcomes = new Map<string, Set<string>>();
  /** Answers that differed for one idempotency key. */
  readonly differing: string[] = [];
  /** Answers that no client should get: neither success, nor a refusal it can understand, nor 503. */
  readonly strange: string[] = [];
  requests = 0;
  repeats = 0;
  readonly answers = new Map<number, number>();

  count(status: number): void {
    this.requests++;
    this.answers.set(status, (this.answers.get(status) ?? 0) + 1);
  }

  acknowledge(body: Body, stream: string, types: readonly string[], holds: string): void {
    this.acknowledged.push({ position: BigInt(body.position as string), stream, types, holds });
  }

  became(runId: string, callId: string, status: string): void {
    const key = `${runId}/${callId}`;
    this.outcomes.set(key, (this.outcomes.get(key) ?? new Set()).add(status));
  }
}
