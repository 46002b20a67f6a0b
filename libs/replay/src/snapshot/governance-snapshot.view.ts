import { z } from 'zod';
import { AsOf } from '../moment/decision.view';

/** `reproduced` is false when a later release folds the same events into another shape: then the run that named the hash says which version it was. */
export const GovernanceSnapshot = z.object({ hash: z.string(), reproduced: z.boolean(), asOf: AsOf, state: z.json() }).meta({ id: 'GovernanceSnapshot' });
export type GovernanceSnapshot = z.infer<typeof GovernanceSnapshot>;
