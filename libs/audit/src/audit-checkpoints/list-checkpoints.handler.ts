import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Pool } from 'pg';
import { latestCheckpoints, toCheckpointJson } from '@app/event-store';
import { ListCheckpoints, type CheckpointsPage } from './list-checkpoints.query';

@QueryHandler(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(private readonly pool: Pool) {}

  async execute({ limit, below }: ListCheckpoints): Promise<CheckpointsPage> {
    const found = await latestCheckpoints(this.pool, limit + 1, { below });
    const rows = found.slice(0, limit).map(toCheckpointJson);
    return { rows, nextCursor: found.length > limit ? rows.at(-1)!.position : null, position: found[0]?.position ?? 0n };
  }
}
