import { Global, Module } from '@nestjs/common';
import { Authenticator } from '@app/http';
import { ApiKeysController } from './api-keys/api-keys.controller';
import { ChangeApiKeyHandler, IssueApiKeyHandler, RevokeApiKeyHandler, RotateApiKeyHandler } from './api-keys/api-keys.handler';
import { KeyUsage } from './api-keys/key-usage';
import { ListApiKeysHandler } from './api-keys/list-api-keys.handler';
import { ChangeUserHandler } from './change-user/change-user.handler';
import { CreateSiteHandler } from './create-site/create-site.handler';
import { SitesController } from './create-site/sites.controller';
import { InviteUserHandler } from './invite-user/invite-user.handler';
import { KeyAuthenticator } from './key-authenticator';
import { RemoveUserHandler } from './remove-user/remove-user.handler';
import { SignIns } from './sign-in/sign-ins';
import { GetUserHandler, ListUsersHandler } from './user-list/user-queries.handler';
import { UsersController } from './users.controller';

/** Global, because the HTTP door asks it who somebody is. */
@Global()
@Module({
  controllers: [SitesController, ApiKeysController, UsersController],
  providers: [
    KeyUsage, SignIns, CreateSiteHandler, ChangeApiKeyHandler, IssueApiKeyHandler, RotateApiKeyHandler, RevokeApiKeyHandler, ListApiKeysHandler,
    InviteUserHandler, ChangeUserHandler, RemoveUserHandler, ListUsersHandler, GetUserHandler,
    { provide: Authenticator, useClass: KeyAuthenticator },
  ],
  exports: [Authenticator],
})
export class SitesModule {}
