import { Module } from '@nestjs/common';
import { CheckPromotionsHandler } from './check-promotions/check-promotions.handler';
import { DecidePromotionHandler } from './decide-promotion/decide-promotion.handler';
import { TrustEvidence } from './evidence/evidence';
import { GetTrustEvidenceHandler } from './evidence/get-trust-evidence.handler';
import { IncidentsController } from './incident-list/incidents.controller';
import { ListIncidentsHandler, ListOpenIncidentsHandler } from './incident-list/incident-queries.handler';
import { OpenIncidentHandler } from './open-incident/open-incident.handler';
import { ListPromotionsHandler } from './promotion-list/list-promotions.handler';
import { PromotionsController } from './promotion-list/promotions.controller';
import { ResolveIncidentHandler } from './resolve-incident/resolve-incident.handler';

@Module({
  controllers: [IncidentsController, PromotionsController],
  providers: [
    TrustEvidence, OpenIncidentHandler, ResolveIncidentHandler, ListIncidentsHandler, ListOpenIncidentsHandler, CheckPromotionsHandler,
    ListPromotionsHandler, DecidePromotionHandler, GetTrustEvidenceHandler,
  ],
})
export class TrustModule {}
