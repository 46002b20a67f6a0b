import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { ConstitutionBacktest } from './backtest.view';

const Position = z.string().regex(/^\d{1,19}$/, 'A log position');

/** Positions of the log, both included; without them all of it. */
export const BacktestConstitutionBody = z.strictObject({ from: Position.optional(), to: Position.optional() }).meta({ id: 'BacktestConstitution' });
export type BacktestConstitutionBody = z.infer<typeof BacktestConstitutionBody>;

export class BacktestConstitution extends Command<Outcome<ConstitutionBacktest>> {
  constructor(
    readonly constitutionId: string,
    readonly body: BacktestConstitutionBody,
    readonly context: Context,
    readonly signal: AbortSignal,
  ) {
    super();
  }
}
