import type { CreatedSite } from '@app/sites/contract';
import type { Answer, Transport, WriteOptions } from './connection/transport';

export type { CreatedSite };

export class Sites {
  constructor(private readonly transport: Transport) {}

  /** `adminKey` is shown here and never again. */
  create = (site: { readonly name: string }, options?: WriteOptions): Promise<Answer<CreatedSite>> =>
    this.transport.write('POST', '/sites', site, options);
}
