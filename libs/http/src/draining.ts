import { Injectable, type BeforeApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';

/** Tells long answers that the server stops: one open event stream would hold the server open for ever. */
@Injectable()
export class Draining implements OnModuleDestroy, BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  /** Aborts when the server begins to stop. */
  readonly signal: AbortSignal = this.stopping.signal;

  begin = () => this.stopping.abort();
  onModuleDestroy = () => this.begin();
  beforeApplicationShutdown = () => this.begin();
}
