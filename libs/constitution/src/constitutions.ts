import { Injectable } from '@nestjs/common';
import { EventStore, Executor } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { missing, type Outcome, type Recorded } from '@app/kernel';
import { project } from '@app/projections';
import type { ConstitutionView } from './constitution-list/constitution.view';
import { constitutions } from './constitution-list/constitutions.projection';
import type { ConstitutionEvent } from './constitution.events';
import { constitution, type KnownConstitution } from './constitution.state';
import { LlmJudge } from './contract';
import { evaluate, judgesFor, type Content, type Evaluated, type Judgement } from './evaluate/evaluate.policy';

/** Constitutions as the log has them now, and what they say about content. */
@Injectable()
export class Constitutions {
  constructor(
    private readonly store: EventStore,
    private readonly executor: Executor,
    private readonly llm: LlmJudge,
  ) {}

  /** Undefined for an id that this site has no constitution under. */
  async find(id: string, siteId: string): Promise<KnownConstitution | undefined> {
    const { state } = await this.executor.current(constitution, id);
    return state.status !== 'none' && state.siteId === siteId ? state : undefined;
  }

  /** Asks the judges in scope, one after another, then applies the evaluators. The first judge that cannot answer ends it. */
  async evaluate({ evaluators }: Pick<KnownConstitution, 'evaluators'>, content: Content): Promise<Evaluated> {
    const judged = new Map<string, Judgement>();
    for (const judge of judgesFor(evaluators, content)) {
      const said = await this.llm.judge(judge, content);
      if (!said.ok) return said;
      judged.set(judge.id, said);
    }
    return evaluate(evaluators, content, { matches: matchesPattern, judged });
  }

  /** The read model's own function applied to the stream; that the version is in force is asked of the site's governance. */
  async view(id: string, siteId: string): Promise<Outcome<ConstitutionView>> {
    let row: ConstitutionView | null = null;
    let position = 0n;
    for await (const event of this.store.read(`constitution-${id}`)) {
      if (event.siteId !== siteId) return missing();
      row = project(constitutions, row, event as Recorded<ConstitutionEvent>, id);
      position = event.position;
    }
    if (!row) return missing();
    const site = await this.executor.current(governance, siteId);
    const active = site.state.status === 'site' && site.state.constitution?.constitutionId === id;
    return { ok: true, data: active ? { ...row, status: 'active' } : row, position: site.position > position ? site.position : position };
  }
}
