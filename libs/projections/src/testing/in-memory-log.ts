import { EventStore, type AppendResult } from '@app/event-store';
import type { Recorded } from '@app/kernel';

/** A log of given events, for specs that must decide every field of an event. Nothing can be appended. */
export class InMemoryLog extends EventStore {
  constructor(private readonly events: readonly Recorded[]) {
    super();
  }

  override append = (): Promise<AppendResult> => Promise.resolve({ ok: false, kind: 'unavailable', detail: 'This log is read only' });

  override recorded = () => Promise.resolve(null);

  override async *read(streamId: string, fromVersion = 1) {
    yield* await Promise.resolve(this.events.filter((event) => event.streamId === streamId && event.version >= fromVersion));
  }

  override async *readAll(after: bigint) {
    const rest = this.events.filter(({ position }) => position > after);
    if (rest.length > 0) yield await Promise.resolve(rest);
  }

  override async *follow(after: bigint, { signal }: { readonly signal?: AbortSignal } = {}) {
    yield* this.readAll(after);
    if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
  }

  override head = () => Promise.resolve(this.events.at(-1)?.position ?? 0n);
  override versions = () => Promise.resolve(new Map<string, number>());
  override close = () => Promise.resolve();
}
