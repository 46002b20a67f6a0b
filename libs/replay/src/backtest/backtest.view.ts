import { ConstitutionDifference } from '@app/constitution/contract';
import { z } from 'zod';
import { DecisionOutcome } from './outcome.view';

/** A recorded decision that the candidate would have taken otherwise. */
export const BacktestDifference = z.object({
  event: z.object({ position: z.string(), eventId: z.string(), streamId: z.string(), type: z.string(), occurredAt: z.string() }),
  runId: z.string(),
  callId: z.string(),
  tool: z.string(),
  recorded: DecisionOutcome,
  candidate: DecisionOutcome,
  link: z.string().describe('The run, with its calls, at that moment'),
}).meta({ id: 'BacktestDifference' });
export type BacktestDifference = Readonly<z.infer<typeof BacktestDifference>>;

/** How many decisions and writes of content were examined, how many would differ, and the first thousand of those. */
export const BacktestResult = z.object({ examined: z.int(), differing: z.int(), forgotten: z.int().optional().describe('Decisions that cannot be taken again, because what was asked was forgotten'), differences: z.array(z.union([BacktestDifference, ConstitutionDifference])) }).meta({ id: 'BacktestResult' });
export type BacktestResult = Readonly<z.infer<typeof BacktestResult>>;
