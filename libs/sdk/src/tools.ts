import type { ListQuery } from './connection/pages';
import type { Page, Transport } from './connection/transport';

export type Tool = {
  readonly name: string;
  readonly kind: 'skill' | 'http' | 'mcp' | 'worker' | 'client';
  readonly description: string;
  readonly risk: 'read' | 'create' | 'write' | 'destructive';
  readonly dangerous: boolean;
  readonly enabled: boolean;
  readonly requiredCapabilities: readonly string[];
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
};

export class Tools {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery = {}): Promise<Page<Tool>> => this.transport.page('/agent/tools', { query });
}
