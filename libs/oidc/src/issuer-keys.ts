import { createRemoteJWKSet, customFetch, type FetchImplementation, type JWTVerifyGetKey, type RemoteJWKSet } from 'jose';
import { Discovery, KeySet } from './discovery.schema';
import { fetchDocument } from './fetch-document';
import { isTrustworthy, discoveryUrl } from './issuer-url.policy';
import { IssuerUnavailable } from './issuer-unavailable';

const TIMEOUT_MS = 5_000;
/** A token that names an unknown key makes us look for new keys this often at most, whoever sends how many of them. */
const LOOK_AGAIN_MS = 5_000;
/** After an issuer did not answer it is left alone for so long, and tokens that need it are refused at once. */
const LEAVE_ALONE_MS = 5_000;
/** Known keys are looked at again behind the scenes; one that was withdrawn ends with that. */
const REFRESH_MS = 600_000;
/** For so long tokens are checked by the keys of an issuer that does not answer any more. */
const KEEP_MS = 86_400_000;

/** The keys of one issuer: found by discovery at the first token, kept while the issuer is away, and looked for again when a token names a new one. */
export class IssuerKeys {
  private keys: { readonly from: string; readonly set: RemoteJWKSet } | undefined;
  private loadedAt = -Infinity;
  private failedAt = -Infinity;
  private loading: Promise<RemoteJWKSet> | undefined;

  /** `warn` hears of an issuer that does not answer; `nowMs` is any clock that counts milliseconds. */
  constructor(
    private readonly issuer: string,
    private readonly warn: (sentence: string) => void,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The key that a token names. Rejects with `IssuerUnavailable`, or as jose does when there is no such key. */
  readonly find: JWTVerifyGetKey = async (header, token) => (await this.current())(header, token);

  private current(): Promise<RemoteJWKSet> {
    const age = this.nowMs() - this.loadedAt;
    if (!this.keys || age >= KEEP_MS) return this.load();
    // Nobody waits for the refresh; should it fail, these keys go on.
    if (age >= REFRESH_MS) void this.load().catch(() => undefined);
    return Promise.resolve(this.keys.set);
  }

  private load(): Promise<RemoteJWKSet> {
    return (this.loading ??= this.discovered().finally(() => (this.loading = undefined)));
  }

  private async discovered(): Promise<RemoteJWKSet> {
    const described = Discovery.safeParse(await this.ask(discoveryUrl(this.issuer), { signal: AbortSignal.timeout(TIMEOUT_MS) }));
    if (!described.success) throw this.failed('Its description names no issuer or no jwks_uri.');
    const { issuer, jwks_uri: from } = described.data;
    if (issuer !== this.issuer) throw this.failed(`It calls itself ${issuer.slice(0, 500)}: HARNESS_OIDC_ISSUER must be exactly that.`);
    if (!isTrustworthy(from)) throw this.failed('Its jwks_uri is not https.');
    const set = this.keys?.from === from ? this.keys.set : createRemoteJWKSet(new URL(from), { timeoutDuration: TIMEOUT_MS, cooldownDuration: LOOK_AGAIN_MS, cacheMaxAge: Infinity, [customFetch]: this.keySet });
    await set.reload();
    this.keys = { from, set };
    this.loadedAt = this.nowMs();
    return set;
  }

  /** Also what jose calls when a token names a key that it does not have. */
  private readonly keySet: FetchImplementation = async (url, { signal, headers }) => {
    const read = KeySet.safeParse(await this.ask(url, { signal, headers }));
    if (!read.success) throw this.failed('Its key set is none.');
    return Response.json(read.data);
  };

  private async ask(url: string, init: { readonly signal: AbortSignal; readonly headers?: Headers }): Promise<unknown> {
    if (this.nowMs() - this.failedAt < LEAVE_ALONE_MS) throw new IssuerUnavailable(`${this.issuer} did not answer a moment ago.`);
    return fetchDocument(url, init).catch((error: Error) => {
      throw this.failed(error.message);
    });
  }

  private failed(why: string): IssuerUnavailable {
    this.failedAt = this.nowMs();
    this.warn(`Tokens of ${this.issuer} cannot be checked with new keys. ${why}`);
    return new IssuerUnavailable(`${this.issuer}: ${why}`);
  }
}
