import type { ToolView } from '@app/tools/contract';
import type { ListQuery } from './connection/pages';
import type { Page, Transport } from './connection/transport';

/** A tool as the door sees it on this site. */
export type Tool = Readonly<ToolView>;

export class Tools {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery = {}): Promise<Page<Tool>> => this.transport.page('/agent/tools', { query });
}
