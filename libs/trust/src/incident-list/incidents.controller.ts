import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { INCIDENT_SEVERITIES, INCIDENT_STATUSES } from '../incident.events';
import { OpenIncident, OpenIncidentBody } from '../open-incident/open-incident.command';
import { ResolvedIncident, ResolveIncident, ResolveIncidentBody } from '../resolve-incident/resolve-incident.command';
import { ListIncidents } from './incident-queries.query';
import { IncidentView } from './incident.view';

const IncidentsQuery = ListQuery.omit({ sort: true }).extend({
  status: z.enum(INCIDENT_STATUSES).optional(), severity: z.enum(INCIDENT_SEVERITIES).optional(), agentRole: z.string().min(1).max(100).optional(),
});

@Controller('agent/incidents')
export class IncidentsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(IncidentView)
  async list(@Query({ schema: IncidentsQuery }) query: z.infer<typeof IncidentsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListIncidents(siteId, { ...query, minPosition })));
  }

  @Post()
  @RequireCapability('incidents:write')
  @ApiAnswer(IncidentView, { status: 201 })
  async open(@Body({ schema: OpenIncidentBody }) body: OpenIncidentBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new OpenIncident(body, caller.context())));
  }

  @Post(':incidentId/resolve')
  @RequireCapability('incidents:write')
  @ApiAnswer(ResolvedIncident)
  async resolve(@Param('incidentId') incidentId: string, @Body({ schema: ResolveIncidentBody }) body: ResolveIncidentBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ResolveIncident(incidentId, body, caller.context())));
  }
}
