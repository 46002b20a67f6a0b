import type { SecretResolver } from '@app/vault';

const REFERENCES = /secret:\/\/[A-Za-z0-9_.-]{1,64}/g;

/**
 * The secrets of one request: resolved when it is made, remembered no longer than it takes, so that an answer can be freed of them. Rejects with
 * `SecretUnavailable` for one that is not set.
 */
export class NamedSecrets {
  private readonly resolved = new Map<string, string>();

  constructor(
    private readonly resolver: SecretResolver,
    private readonly siteId: string,
  ) {}

  /** The text with every `secret://name` in it replaced by what it names. */
  async fill(text: string): Promise<string> {
    for (const reference of text.match(REFERENCES) ?? []) this.resolved.set(reference, this.resolved.get(reference) ?? (await this.resolver.resolve(this.siteId, reference)));
    return text.replaceAll(REFERENCES, (reference) => this.resolved.get(reference)!);
  }

  get values(): readonly string[] {
    return [...this.resolved.values()];
  }
}
