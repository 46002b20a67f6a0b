import { Global, Module } from '@nestjs/common';
import { Authenticator } from '@app/http';
import { CurrentCapabilities } from '@app/tool-calls/contract';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { IssueApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from './api-keys/api-keys.handler';
import { KeyUsage } from './api-keys/key-usage';
import { ListApiKeysHandler } from './api-keys/list-api-keys.handler';
import { CreateSiteHandler } from './create-site/create-site.handler';
import { SitesController } from './create-site/sites.controller';
import { KeyAuthenticator, PrincipalCapabilities } from './key-authenticator';

/** Global, because the HTTP door and the tool-call door ask it who somebody is and what they hold. */
@Global()
@Module({
  controllers: [SitesController, ApiKeysController],
  providers: [
    KeyUsage, CreateSiteHandler, IssueApiKeyHandler, RotateApiKeyHandler, RevokeApiKeyHandler, ListApiKeysHandler,
    { provide: Authenticator, useClass: KeyAuthenticator },
    { provide: CurrentCapabilities, useClass: PrincipalCapabilities },
  ],
  exports: [Authenticator, CurrentCapabilities],
})
export class SitesModule {}
