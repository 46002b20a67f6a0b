import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '@app/projections';
import { KeptTexts } from '../kept-texts';
import { visibleTo } from '../memory-list/list-memories.handler';
import { memories } from '../memory-list/memories.projection';
import { memoryView } from '../memory-list/memory.view';
import type { LiveMemory } from '../memory.state';
import { rank } from './ranking.policy';
import { SearchMemory, type FoundMemories } from './search-memory.query';

const PAGE = 200;
/** The newest that a reader may see; older ones than these have faded anyway. */
const MOST = 2_000;

@QueryHandler(SearchMemory)
export class SearchMemoryHandler implements IQueryHandler<SearchMemory> {
  constructor(
    private readonly reads: ReadModels,
    private readonly texts: KeptTexts,
  ) {}

  async execute({ reader, question: { text, embedding, now, limit, minPosition } }: SearchMemory): Promise<FoundMemories> {
    if (minPosition !== undefined) await this.reads.reached(memories, minPosition);
    const seen: LiveMemory[] = [];
    let position = 0n;
    for (let cursor: string | null | undefined; cursor !== null && seen.length < MOST; ) {
      const page = await this.reads.list(memories, { siteId: reader.siteId, limit: PAGE, where: visibleTo(reader, now), ...(cursor !== undefined && { cursor }) });
      seen.push(...page.rows.map(({ memory }) => memory));
      ({ nextCursor: cursor, position } = page);
    }
    const texts = await this.texts.open(seen);
    const candidates = seen.flatMap((memory, nr) => (texts[nr] ? [{ ...memory, id: memory.memoryId, memory, text: texts[nr] }] : []));
    const ranked = rank(candidates, reader, { text, embedding }, now, limit);
    return { rows: ranked.map(({ entry, similarity, recency, score }) => ({ ...memoryView(entry.memory, entry.text), similarity, recency, score })), position };
  }
}
