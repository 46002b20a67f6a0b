import type { Executor } from '@app/event-store';
import { governance, type EffectiveTool } from '@app/governance/contract';
import { OutboundError, type OutboundAnswer, type OutboundHttp } from '@app/outbound';
import { ToolHandlers, type CallContext, type Change } from '@app/tool-calls/contract';
import { maskSecrets, scrub, SecretUnavailable, type SecretResolver } from '@app/vault';
import { NamedSecrets, signatureHeaders, type SigningSecret } from '@app/webhooks';
import { ToolFailure } from './tool-failure';
import { idempotencyKey, toolRequest, type Target, type ToolRequest } from './tool-request';
import { toolResult } from './tool-result';

export type HttpToolsParts = {
  readonly executor: Pick<Executor, 'current'>;
  readonly outbound: OutboundHttp;
  readonly secrets: SecretResolver;
  readonly signing: SigningSecret;
  readonly clock?: () => Date;
};

/** So that the time limit of the call, which the door keeps, is the one that ends it. */
const GRACE_MS = 1_000;

/**
 * Tools that live at a URL. A call is one signed request there; secrets are put in when it is sent, and taken out of whatever comes back.
 * Nothing is ever sent twice: a call that failed is called again by whoever asked for it, with the same idempotency key.
 */
export class HttpTools extends ToolHandlers {
  constructor(private readonly parts: HttpToolsParts) {
    super();
  }

  override handles = (tool: EffectiveTool): boolean => tool.kind === 'http' && tool.http !== undefined;

  override async run(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown> {
    const { siteId } = call.context;
    const ofCall = { siteId, runId: call.runId, callId: call.callId };
    const secrets = new NamedSecrets(this.parts.secrets, siteId);
    const key = await this.parts.signing.of(siteId);
    // What it was sent as arguments it may repeat as well; that has to go before its words are shortened, and so has what gives itself away.
    const sent = maskSecrets(input).secrets;
    const clean = <T>(value: T): T => scrub(maskSecrets(value).masked, [key, ...secrets.values, ...sent]);
    try {
      // A secret may be part of the path: some webhooks are called by a URL that is the key.
      const target = { ...tool.http!, url: await secrets.fill(tool.http!.url) };
      const request = toolRequest(tool, target, input, ofCall);
      const credentials = { ...(await headersOf(target, secrets)), ...signatureHeaders(key, request.signed, this.parts.clock?.() ?? new Date()) };
      const answer = await this.send(request, credentials, idempotencyKey(ofCall), tool.timeoutMs, siteId, call.signal);
      return clean(toolResult(tool, answer, clean));
    } catch (error) {
      // What failed may have been told in the words of the tool, and those may hold what it was sent.
      throw new Error(clean(toldOf(error)));
    }
  }

  override preview = (): Promise<readonly Change[]> => Promise.resolve([]);

  override target = () => Promise.resolve(null);

  private async send({ url, method, body }: ToolRequest, credentials: Readonly<Record<string, string>>, key: string, timeoutMs: number, siteId: string, signal: AbortSignal): Promise<OutboundAnswer> {
    const { state } = await this.parts.executor.current(governance, siteId);
    if (state.status === 'none') throw new ToolFailure('ADDRESS_REFUSED', 'The site is not known.');
    return this.parts.outbound.request({
      url, method, credentials, allowHosts: state.settings.outbound.allowHosts, timeoutMs: timeoutMs + GRACE_MS, signal,
      headers: { accept: 'application/json, text/*;q=0.5', 'idempotency-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
  }
}

/** The stable code, and a sentence for the agent. */
const toldOf = (error: unknown): string => {
  if (error instanceof OutboundError) return `${error.code}: ${error.message}`;
  return error instanceof SecretUnavailable ? `SECRET_UNAVAILABLE: ${error.message}` : (error as Error).message;
};

/** What the registration says, with its secrets put in; all of it is for the tool's own origin only. */
const headersOf = async ({ headers = {}, auth }: Target, secrets: NamedSecrets): Promise<Readonly<Record<string, string>>> => {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) filled[name.toLowerCase()] = await secrets.fill(value);
  if (auth !== undefined) filled['authorization'] = `Bearer ${await secrets.fill(auth)}`;
  return filled;
};
