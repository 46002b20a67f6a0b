import type { Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { OutboundError, type OutboundHttp } from '@app/outbound';
import { LinkChecker, type LinkQuestion } from './link-checker';

const WITHIN_MS = 4_000;
/** That there is something is all that is wanted to know. */
const MOST_BYTES = 1_024;

const GONE = [404, 410];
/** Servers that know no HEAD say so, or say anything else about it. */
const ASK_AGAIN = [400, 403, 404, 405, 410, 501];

/** Links to the outside by the guarded way out of this server: what may not be reached is not judged. */
export class OutboundLinks extends LinkChecker {
  constructor(
    private readonly outbound: OutboundHttp,
    private readonly executor: Executor,
  ) {
    super();
  }

  override async isReachable({ url, siteId, signal }: LinkQuestion): Promise<boolean> {
    const { state } = await this.executor.states.load(governance, siteId);
    const allowHosts = state.status === 'none' ? [] : state.settings.outbound.allowHosts;
    const ask = async (method: 'HEAD' | 'GET') => (await this.outbound.request({ url, method, allowHosts, timeoutMs: WITHIN_MS, maxBytes: MOST_BYTES, signal })).status;
    try {
      const status = await ask('HEAD');
      return !GONE.includes(ASK_AGAIN.includes(status) ? await ask('GET') : status);
    } catch (error) {
      return !(error instanceof OutboundError && error.code === 'UPSTREAM_UNREACHABLE');
    }
  }
}
