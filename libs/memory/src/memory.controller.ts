import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, cursorParam, limitParam, listAnswer, MinPosition, OneTimeAnswer, orProblem, ProblemException, ReadQuery, RequireCapability } from '@app/http';
import { z } from 'zod';
import { ForgetMemory, ForgottenMemoryView } from './forget-memory/forget-memory.command';
import { ListMemories } from './memory-list/list-memories.query';
import { FoundMemory, MemoryView } from './memory-list/memory.view';
import { Readers, type FoundReader } from './readers';
import { RedactMemory, RedactMemoryBody } from './redact-memory/redact-memory.command';
import { SearchMemory } from './search-memory/search-memory.query';
import { StoreMemory, StoreMemoryBody } from './store-memory/store-memory.command';

const name = z.string().min(1).max(100).optional();
const MemoriesQuery = ReadQuery.extend({ limit: limitParam, runId: name, goalId: name, role: name, userId: name, cursor: cursorParam });
const MAX_NUMBERS = 512;
/** Numbers with commas between them; a vector that does not fit into an address is searched for in process. */
const embeddingParam = z.string().regex(/^-?\d+(\.\d+)?(e-?\d+)?(,-?\d+(\.\d+)?(e-?\d+)?)*$/i, 'Numbers with commas between them').max(8_000)
  .transform((text) => text.split(',').map(Number)).refine((numbers) => numbers.length <= MAX_NUMBERS, `At most ${MAX_NUMBERS} numbers`).optional();
const SearchQuery = MemoriesQuery.omit({ cursor: true }).extend({ q: z.string().trim().min(1).max(500).optional(), embedding: embeddingParam });

const readerOf = (found: FoundReader) => {
  if (found.ok) return found.reader;
  throw ProblemException.of(found.rejection);
};

@Controller('agent/memory')
export class MemoryController {
  constructor(
    private readonly bus: Bus,
    private readonly readers: Readers,
  ) {}

  @Get()
  @RequireCapability('memory:read')
  @ApiList(MemoryView)
  async list(@Query({ schema: MemoriesQuery }) { limit, cursor, minPosition: _at, ...claimed }: z.infer<typeof MemoriesQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    const reader = readerOf(await this.readers.find(caller.principal, caller.siteId, claimed));
    return listAnswer(await this.bus.ask(new ListMemories(reader, { now: caller.context().now, limit, cursor, minPosition })));
  }

  @Get('search')
  @RequireCapability('memory:read')
  @ApiList(FoundMemory)
  async search(@Query({ schema: SearchQuery }) { limit, q, embedding, minPosition: _at, ...claimed }: z.infer<typeof SearchQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    const reader = readerOf(await this.readers.find(caller.principal, caller.siteId, claimed));
    const found = await this.bus.ask(new SearchMemory(reader, { text: q, embedding, now: caller.context().now, limit, minPosition }));
    return listAnswer({ ...found, nextCursor: null });
  }

  /** What is recorded of the answer for repeats holds none of the text. */
  @Post()
  @RequireCapability('memory:write')
  @OneTimeAnswer('content', 'tags', 'sources')
  @ApiAnswer(MemoryView, { status: 201 })
  async write(@Body({ schema: StoreMemoryBody }) body: StoreMemoryBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new StoreMemory(body, caller.principal, caller.context())));
  }

  @Post(':memoryId/redact')
  @RequireCapability('memory:write')
  @OneTimeAnswer('content', 'tags', 'sources')
  @ApiAnswer(MemoryView)
  async redact(@Param('memoryId') memoryId: string, @Body({ schema: RedactMemoryBody }) body: RedactMemoryBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RedactMemory(memoryId, body, caller.principal, caller.context())));
  }

  @Delete(':memoryId')
  @RequireCapability('memory:write')
  @ApiAnswer(ForgottenMemoryView)
  async forget(@Param('memoryId') memoryId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ForgetMemory(memoryId, caller.principal, caller.context())));
  }
}
