export { apiKeys } from './api-keys/api-keys.projection';
export { migrateKeyUsage } from './api-keys/key-usage';
export { CreateSite } from './create-site/create-site.command';
export { principalEvents } from './principal.events';
export { SitesModule } from './sites.module';
export { users } from './user-list/users.projection';
export { userEvents } from './user.events';
