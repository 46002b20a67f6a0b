import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import { answer, ApiAnswer, Caller, ProblemException, RequireCapability } from '@app/http';
import type { Rejected } from '@app/kernel';
import { ProjectionsControl, type ProjectionStatus } from '@app/projections';
import { z } from 'zod';
import { Ordered, ProjectionStatusView, SkipBody, VerifiedView } from './projection-status.view';

type Done = { readonly ok: true } | Rejected;

/** What operators see of the read models and do to them; orders reach the leading process through the database. */
@Controller('ops/projections')
export class ProjectionsController {
  constructor(
    private readonly control: ProjectionsControl,
    private readonly store: EventStore,
  ) {}

  @Get()
  @RequireCapability('ops:read')
  @ApiAnswer(z.array(ProjectionStatusView))
  async list() {
    return answer((await this.control.status()).map(statusView), await this.store.head());
  }

  @Post(':name/rebuild')
  @RequireCapability('ops:write')
  @ApiAnswer(Ordered, { status: 202 })
  rebuild(@Param('name') name: string) {
    return this.order(name, 'rebuild', this.control.rebuild(name));
  }

  @Post(':name/cancel')
  @RequireCapability('ops:write')
  @ApiAnswer(Ordered)
  cancel(@Param('name') name: string) {
    return this.order(name, 'cancel', this.control.cancel(name));
  }

  @Post(':name/rollback')
  @RequireCapability('ops:write')
  @ApiAnswer(Ordered)
  rollback(@Param('name') name: string) {
    return this.order(name, 'rollback', this.control.rollback(name));
  }

  @Post(':name/pause')
  @RequireCapability('ops:write')
  @ApiAnswer(Ordered)
  pause(@Param('name') name: string) {
    return this.order(name, 'pause', this.control.pause(name));
  }

  @Post(':name/resume')
  @RequireCapability('ops:write')
  @ApiAnswer(Ordered)
  resume(@Param('name') name: string) {
    return this.order(name, 'resume', this.control.resume(name));
  }

  /** Passes over the one event a projection is stopped at; who did it and why stay on record. */
  @Post(':name/skip')
  @RequireCapability('ops:write')
  @ApiAnswer(Ordered)
  skip(@Param('name') name: string, @Body({ schema: SkipBody }) { position, reason }: z.infer<typeof SkipBody>, @Caller() { principal }: Caller) {
    return this.order(name, 'skip', this.control.skip(name, BigInt(position), reason, principal.id));
  }

  @Post(':name/verify')
  @RequireCapability('ops:write')
  @ApiAnswer(VerifiedView)
  async verify(@Param('name') name: string) {
    const verified = await this.control.verify(name);
    if (!verified.ok) throw ProblemException.of(verified.rejection);
    const { position, rows, differences } = verified;
    return answer({ name, ok: differences.length === 0, position: String(position), rows: Number(rows), differences }, position);
  }

  private async order(name: string, order: string, doing: Promise<Done>) {
    const done = await doing;
    if (!done.ok) throw ProblemException.of(done.rejection);
    return answer({ name, order }, await this.store.head());
  }
}

const statusView = ({ position, lagEvents, progress, error, ...status }: ProjectionStatus): ProjectionStatusView => ({
  ...status,
  position: String(position),
  lagEvents: String(lagEvents),
  progress: progress ? { ...progress, position: String(progress.position), target: String(progress.target) } : null,
  error: error ? { position: error.position === null ? null : String(error.position), message: error.message } : null,
});
