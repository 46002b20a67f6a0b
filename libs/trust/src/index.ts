export { promotionExpiry } from './expire-promotion/promotion-expiry';
export { incidentEvents } from './incident.events';
export { promotionEvents } from './promotion.events';
export { incidents } from './incident-list/incidents.projection';
export { promotions } from './promotion-list/promotions.projection';
export { trustRuns } from './evidence/trust-runs.projection';
export { TrustModule } from './trust.module';
