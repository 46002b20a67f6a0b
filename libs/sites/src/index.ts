export { apiKeys } from './api-keys/api-keys.projection';
export { migrateKeyUsage } from './api-keys/key-usage';
export { CreateSite } from './create-site/create-site.command';
export { principalEvents } from './principal.events';
export { SitesModule } from './sites.module';
