import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { ConstitutionView } from '../constitution-list/constitution.view';
import { Evaluators } from '../evaluator.schema';

export const DraftConstitutionBody = z.strictObject({ evaluators: Evaluators }).meta({ id: 'DraftConstitution' });
export type DraftConstitutionBody = z.infer<typeof DraftConstitutionBody>;

export class DraftConstitution extends Command<Outcome<ConstitutionView>> {
  constructor(
    readonly body: DraftConstitutionBody,
    readonly context: Context,
  ) {
    super();
  }
}
