import { Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import { ApiAnswer, ApiList, Caller, cursorParam, limitParam, listAnswer, orProblem, ProblemException, ReadQuery, RequireCapability } from '@app/http';
import { z } from 'zod';
import { DeadLetterDesk } from './dead-letter-desk';
import { DeadLetterView, DiscardedLetter, RequeuedLetter } from './dead-letter.schema';
import { deadLetterView } from './shown-letter';

const LettersQuery = ReadQuery.extend({ limit: limitParam, cursor: cursorParam });

/** Jobs that failed for good. */
@Controller('ops/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly desk: DeadLetterDesk,
    private readonly store: EventStore,
  ) {}

  /** Oldest first. */
  @Get()
  @RequireCapability('ops:read')
  @ApiList(DeadLetterView)
  async list(@Query({ schema: LettersQuery }) { limit, cursor = '0' }: z.infer<typeof LettersQuery>, @Caller() caller: Caller) {
    if (!/^\d{1,9}$/.test(cursor)) throw ProblemException.invalid([{ pointer: '/cursor', detail: 'nextCursor of the page before' }]);
    const { rows, next } = await this.desk.list(caller, { limit, skip: Number(cursor) });
    return listAnswer({ rows, nextCursor: next === null ? null : String(next), position: await this.store.head() }, deadLetterView);
  }

  @Get(':letterId')
  @RequireCapability('ops:read')
  @ApiAnswer(DeadLetterView)
  async get(@Param('letterId') letterId: string, @Caller() caller: Caller) {
    const found = await this.desk.find(letterId, caller);
    return orProblem(found.ok ? { ...found, data: deadLetterView(found.data) } : found);
  }

  /** The task of a run that failed is done by a new run, with what its owner may do now. */
  @Post(':letterId/requeue')
  @RequireCapability('ops:write')
  @ApiAnswer(RequeuedLetter)
  async requeue(@Param('letterId') letterId: string, @Caller() caller: Caller) {
    return orProblem(await this.desk.requeue(letterId, caller));
  }

  @Delete(':letterId')
  @RequireCapability('ops:write')
  @ApiAnswer(DiscardedLetter)
  async discard(@Param('letterId') letterId: string, @Caller() caller: Caller) {
    return orProblem(await this.desk.discard(letterId, caller));
  }
}
