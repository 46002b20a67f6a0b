import type { CreatedSite } from '@app/sites/contract';
import type { Answer, Transport, WriteOptions } from './connection/transport';

export type { CreatedSite };

export class Sites {
  constructor(private readonly transport: Transport) {}

  /** `adminKey` is shown once: null when a retry lost the answer that held it. */
  create = (site: { readonly name: string }, options?: WriteOptions): Promise<Answer<CreatedSite>> =>
    this.transport.write('POST', '/sites', site, options);
}
