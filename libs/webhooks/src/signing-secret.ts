import { createHmac } from 'node:crypto';
import { SecretUnavailable, type Vault } from '@app/vault';

/** The name under which a site may set its own. */
export const SIGNING_SECRET = 'webhook-signing';

/** What requests of a site are signed with. */
export abstract class SigningSecret {
  abstract of(siteId: string): Promise<string>;
}

/** The site's own secret of that name; until it sets one, one that is made from the site's key and that nobody is ever shown. */
export class VaultSigningSecret extends SigningSecret {
  constructor(private readonly vault: Pick<Vault, 'resolve' | 'pepper'>) {
    super();
  }

  override async of(siteId: string): Promise<string> {
    try {
      return await this.vault.resolve(siteId, `secret://${SIGNING_SECRET}`);
    } catch (error) {
      if (!(error instanceof SecretUnavailable)) throw error;
      return createHmac('sha256', await this.vault.pepper(siteId)).update(SIGNING_SECRET).digest('base64url');
    }
  }
}
