import { canonicalJson } from '@app/event-store';
import type { Address, ConnectionOptions } from './open-client';
import { Upstream } from './upstream';

/** Nobody called for so long: the connection, and a program behind it, is closed until the next call. */
const IDLE_MS = 30 * 60_000;

type Entry = { readonly upstream: Upstream; readonly key: string; idle: NodeJS.Timeout };

/** The connections of this process: one for each server of each site. */
export class Upstreams {
  private readonly entries = new Map<string, Entry>();
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly options: ConnectionOptions) {}

  /** The connection to a server. One that is reached in another way than before gets a new connection, and the old one is closed. */
  at(address: Address): Upstream {
    const name = `${address.siteId}/${address.server}`;
    const key = canonicalJson([address.transport, address.allowHosts]);
    const known = this.entries.get(name);
    if (known?.key === key) {
      known.idle.refresh();
      return known.upstream;
    }
    this.remove(name);
    const upstream = new Upstream(address, this.options);
    this.entries.set(name, { upstream, key, idle: setTimeout(() => this.remove(name), IDLE_MS).unref() });
    return upstream;
  }

  /** A connection of its own, for an import; whoever asks for it closes it. */
  apart = (address: Address): Upstream => new Upstream({ ...address, explain: true }, this.options);

  /** Ends every connection and every program, together, for one that ignores its end takes 4 seconds. */
  async close(): Promise<void> {
    for (const name of this.entries.keys()) this.remove(name);
    await Promise.all(this.closing);
  }

  private remove(name: string): void {
    const entry = this.entries.get(name);
    if (!entry) return;
    clearTimeout(entry.idle);
    this.entries.delete(name);
    const closing = entry.upstream.close().finally(() => this.closing.delete(closing));
    this.closing.add(closing);
  }
}
