import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { patternProblem } from '@app/json-schema';
import type { Outcome } from '@app/kernel';
import { constitutionHash } from '../constitution-hash';
import type { ConstitutionView } from '../constitution-list/constitution.view';
import { constitution } from '../constitution.state';
import { Constitutions } from '../constitutions';
import { DraftConstitution } from './draft-constitution.command';
import { draftConstitution } from './draft-constitution.decide';

@CommandHandler(DraftConstitution)
export class DraftConstitutionHandler implements ICommandHandler<DraftConstitution> {
  constructor(
    private readonly executor: Executor,
    private readonly constitutions: Constitutions,
  ) {}

  async execute({ body: { evaluators }, context }: DraftConstitution): Promise<Outcome<ConstitutionView>> {
    const id = idFor('con', context);
    const drafted = await this.executor.execute({ constitution: { aggregate: constitution, id } }, context, ({ constitution: state }) =>
      draftConstitution(state, { constitutionId: id, siteId: context.siteId }, constitutionHash(evaluators), evaluators, patternProblem),
    );
    return drafted.ok ? this.constitutions.view(id, context.siteId) : drafted;
  }
}
