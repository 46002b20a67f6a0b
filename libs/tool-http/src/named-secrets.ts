import { SecretUnavailable, type SecretResolver } from '@app/vault';
import { ToolFailure } from './tool-failure';

const REFERENCES = /secret:\/\/[A-Za-z0-9_.-]{1,64}/g;

/** The secrets of one call: resolved when the request is made, remembered no longer than the call takes, so that an answer can be freed of them. */
export class NamedSecrets {
  private readonly resolved = new Map<string, string>();

  constructor(
    private readonly resolver: SecretResolver,
    private readonly siteId: string,
  ) {}

  /** The text with every `secret://name` in it replaced by what it names. */
  async fill(text: string): Promise<string> {
    for (const reference of text.match(REFERENCES) ?? []) this.resolved.set(reference, await this.resolve(reference));
    return text.replaceAll(REFERENCES, (reference) => this.resolved.get(reference)!);
  }

  get values(): readonly string[] {
    return [...this.resolved.values()];
  }

  private async resolve(reference: string): Promise<string> {
    try {
      return this.resolved.get(reference) ?? (await this.resolver.resolve(this.siteId, reference));
    } catch (error) {
      if (error instanceof SecretUnavailable) throw new ToolFailure('SECRET_UNAVAILABLE', error.message);
      throw error;
    }
  }
}
