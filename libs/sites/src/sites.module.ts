import { Global, Module } from '@nestjs/common';
import { Authenticator } from '@app/http';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { ChangeApiKeyHandler, IssueApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from './api-keys/api-keys.handler';
import { KeyUsage } from './api-keys/key-usage';
import { ListApiKeysHandler } from './api-keys/list-api-keys.handler';
import { CreateSiteHandler } from './create-site/create-site.handler';
import { SitesController } from './create-site/sites.controller';
import { KeyAuthenticator } from './key-authenticator';

/** Global, because the HTTP door asks it who somebody is. */
@Global()
@Module({
  controllers: [SitesController, ApiKeysController],
  providers: [
    KeyUsage, CreateSiteHandler, ChangeApiKeyHandler, IssueApiKeyHandler, RotateApiKeyHandler, RevokeApiKeyHandler, ListApiKeysHandler,
    { provide: Authenticator, useClass: KeyAuthenticator },
  ],
  exports: [Authenticator],
})
export class SitesModule {}
