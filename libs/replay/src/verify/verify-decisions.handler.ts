import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@app/event-store';
import { matchesPattern } from '@app/json-schema';
import { ActionPreparer } from '@app/tool-calls/contract';
import type { LogReads } from '../log-reads';
import { walkRun, walkSite } from '../redecide/replay-walk';
import { verdictOn } from './verdict';
import { VerifyDecisions, type ReplayStep } from './verify-decisions.query';

@QueryHandler(VerifyDecisions)
export class VerifyDecisionsHandler implements IQueryHandler<VerifyDecisions> {
  constructor(
    @Inject(EventStore) private readonly log: LogReads,
    private readonly actions: ActionPreparer,
  ) {}

  execute({ siteId, scope: { runId, from, to }, signal }: VerifyDecisions): Promise<AsyncIterable<ReplayStep>> {
    const rules = { prepare: this.actions.prepare, matches: matchesPattern };
    const walk = { siteId, rules, from, to, signal };
    return Promise.resolve(verdictOn(runId === undefined ? walkSite(this.log, walk) : walkRun(this.log, runId, walk), signal));
  }
}
