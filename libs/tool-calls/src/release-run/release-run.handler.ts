import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { Liveness } from '@app/liveness';
import { accept } from '@app/kernel';
import { releaseRun, run } from '@app/runs/contract';
import { RunsUnderWay } from '../carry-out-run/runs-under-way';
import { ReleaseRun } from './release-run.command';

@CommandHandler(ReleaseRun)
export class ReleaseRunHandler implements ICommandHandler<ReleaseRun> {
  constructor(
    private readonly executor: Executor,
    private readonly liveness: Liveness,
    private readonly underWay: RunsUnderWay,
  ) {}

  async execute({ runId, context }: ReleaseRun) {
    const released = await this.executor.execute({ run: { aggregate: run, id: runId } }, context, (states) =>
      this.underWay.has(runId) ? accept({ run: [] }) : releaseRun(states.run, this.liveness.id),
    );
    return released.ok ? { ok: true as const, data: { released: (released.events.run?.length ?? 0) > 0 }, position: released.position } : released;
  }
}
