import { Module, type DynamicModule } from '@nestjs/common';
import { IdentityVerifier } from '@app/sites/contract';
import { OidcIssuers, type OidcOptions } from './oidc-issuers';

/** Global, because the HTTP door proves tokens with it. Without options there is no verifier, and no token of an issuer is worth anything. */
@Module({})
export class OidcModule {
  static register(options: OidcOptions | undefined): DynamicModule {
    const providers = options ? [{ provide: IdentityVerifier, useValue: new OidcIssuers(options) }] : [];
    return { module: OidcModule, global: true, providers, exports: providers };
  }
}
