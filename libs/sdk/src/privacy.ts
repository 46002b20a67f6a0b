import type { ForgottenSubject } from '@app/privacy/contract';
import type { Answer, Transport, WriteOptions } from './connection/transport';

export type { ForgottenSubject };

/** Needs `privacy:forget`. */
export class Privacy {
  constructor(private readonly transport: Transport) {}

  /** Destroys the key of a run that has ended (`run_…`) or of a memory (`mem_…`): its words cannot be read any more, in no copy of the log either. */
  forget = (subject: string, options?: WriteOptions): Promise<Answer<ForgottenSubject>> => this.transport.write('POST', '/privacy/forget', { subject }, options);
}
