import { FREEZE_SCOPES } from '@app/governance/contract';
import { z } from 'zod';
import { CallInFlight } from '../calls-in-flight/call-in-flight.view';

const By = z.object({ kind: z.enum(['human', 'agent', 'service']), id: z.string() });

/** A freeze from its beginning to its end. Positions are where it came into force and where it ended. */
export const FreezeView = z.object({
  freezeId: z.string(),
  scope: z.enum(FREEZE_SCOPES),
  targetId: z.string().nullable(),
  reason: z.string().nullable(),
  by: By,
  frozenAt: z.string(),
  effectiveAt: z.string(),
  liftedBy: By.nullable(),
  liftedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
}).meta({ id: 'Freeze' });
export type FreezeView = z.infer<typeof FreezeView>;

/** Freezes in force, and all there ever were, newest first. */
export const FreezesView = z.object({
  active: z.array(FreezeView.extend({ inFlight: z.array(CallInFlight) })),
  history: z.array(FreezeView),
}).meta({ id: 'Freezes' });
export type FreezesView = z.infer<typeof FreezesView>;

/** What the kill switch did. `inFlight` is complete when `inFlightAsOf` has reached `effectiveAt`. */
export const KilledView = z.object({
  freezeId: z.string().nullable(),
  scope: z.enum(FREEZE_SCOPES),
  targetId: z.string().nullable(),
  effectiveAt: z.string(),
  inFlight: z.array(CallInFlight),
  inFlightAsOf: z.string(),
}).meta({ id: 'Killed' });
export type KilledView = z.infer<typeof KilledView>;

export const LiftedView = z.object({ freezeId: z.string(), lifted: z.literal(true), effectiveAt: z.string() }).meta({ id: 'Lifted' });
export type LiftedView = z.infer<typeof LiftedView>;
