import { Controller, Get, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, listAnswer, ListQuery, orProblem, positionParam, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { CheckpointView } from './checkpoint.view';
import { ListCheckpoints } from './list-checkpoints.query';
import { SignCheckpoint } from './sign-checkpoint.command';

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

  /** For whoever takes a checkpoint away to keep it elsewhere: the head of now, signed. */
  @Post()
  @RequireCapability('audit:read')
  @ApiAnswer(CheckpointView)
  async sign() {
    return orProblem(await this.bus.send(new SignCheckpoint()));
  }
}
