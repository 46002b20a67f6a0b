import type { HeadChannel } from '@app/event-store';
import type { NatsLink } from './nats-link';
import { HEAD_SUBJECT } from './subjects.policy';

/** Tells other processes by the broker that the log has a new head. A hint like NOTIFY, and beside it: what gets lost is found by the next look. */
export class NatsHeads implements HeadChannel {
  constructor(private readonly link: NatsLink) {}

  announce(head: bigint): void {
    const { current } = this.link;
    if (current && !current.isClosed()) current.publish(HEAD_SUBJECT, String(head));
  }

  listen(onHead: () => void): () => void {
    return this.link.onConnection((connection) => {
      connection.subscribe(HEAD_SUBJECT, { callback: onHead });
      onHead();
    });
  }
}
