import type { Answer, Transport, WriteOptions } from './connection/transport';

/** `adminKey` is shown here and never again. */
export type CreatedSite = { readonly siteId: string; readonly adminKey: string };

export class Sites {
  constructor(private readonly transport: Transport) {}

  create = (site: { readonly name: string }, options?: WriteOptions): Promise<Answer<CreatedSite>> => this.transport.write('POST', '/sites', site, options);
}
