import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, listAnswer, ListQuery, positionParam, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { CheckpointView } from './checkpoint.view';
import { ListCheckpoints } from './list-checkpoints.query';

const CheckpointsQuery = ListQuery.omit({ sort: true }).extend({ cursor: positionParam.optional() });

@Controller('audit/checkpoints')
export class AuditCheckpointsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('audit:read')
  @ApiList(CheckpointView, { description: 'Signed checkpoints of the whole log, newest first' })
  async list(@Query({ schema: CheckpointsQuery }) { limit, cursor }: z.infer<typeof CheckpointsQuery>) {
    return listAnswer(await this.bus.ask(new ListCheckpoints(limit, cursor)));
  }
}
