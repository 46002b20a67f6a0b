import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadModels, type Condition } from '@app/projections';
import { KeptTexts } from '../kept-texts';
import { isInScope, type Reader } from '../scope.policy';
import { ListMemories } from './list-memories.query';
import { FOR_ALL, memories } from './memories.projection';
import { memoryView } from './memory.view';

/** What `isInScope` and `isExpired` say, in the words of the read model. */
export const visibleTo = ({ role, goalId, userId }: Reader, now: Date): readonly Condition[] => [
  { path: 'role', is: 'in', value: [FOR_ALL, ...(role === null ? [] : [role])] },
  { path: 'goalId', is: 'in', value: [FOR_ALL, ...(goalId === null ? [] : [goalId])] },
  { path: 'userId', is: 'in', value: [FOR_ALL, ...(userId === null ? [] : [userId])] },
  { path: 'expires', is: 'gt', value: now.toISOString() },
];

@QueryHandler(ListMemories)
export class ListMemoriesHandler implements IQueryHandler<ListMemories> {
  constructor(
    private readonly reads: ReadModels,
    private readonly texts: KeptTexts,
  ) {}

  /** One that was forgotten a moment ago may still have its row, and has no text any more: it is left out. */
  async execute({ reader, page: { now, limit, cursor, minPosition } }: ListMemories) {
    if (minPosition !== undefined) await this.reads.reached(memories, minPosition);
    const page = await this.reads.list(memories, { siteId: reader.siteId, limit, where: visibleTo(reader, now), ...(cursor !== undefined && { cursor }) });
    const seen = page.rows.map(({ memory }) => memory).filter((memory) => isInScope(memory, reader));
    const texts = await this.texts.open(seen);
    return { ...page, rows: seen.flatMap((memory, nr) => (texts[nr] ? [memoryView(memory, texts[nr])] : [])) };
  }
}
