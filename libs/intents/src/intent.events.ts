import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { IntentDefinition, RULE_TYPES } from './intent.schema';

/** Which item breaks which rule, and where. The fingerprint is made of the intent, the item, the rule's type and its key. */
const Drift = z.strictObject({
  fingerprint: z.string(),
  itemId: z.string(),
  ruleType: z.enum(RULE_TYPES),
  ruleKey: z.string(),
  detail: z.string(),
});

export const CYCLE_TRIGGERS = ['schedule', 'manual'] as const;

/** Whether an intent is paused or broken is no event here but on the site's governance stream: authorisations depend on it. */
export const intentEvents = eventFamily('intent', {
  IntentDeclared: z.strictObject({ intentId: z.string(), siteId: z.string(), definition: IntentDefinition, by: z.string(), at: z.string() }),
  IntentChanged: z.strictObject({ definition: IntentDefinition, by: z.string(), at: z.string() }),
  IntentDeleted: z.strictObject({ by: z.string(), at: z.string() }),
  /** `dueAt` is the time the schedule asked for; null for a cycle that a person asked for. `cursor` is the last item of the scan before, when that had to stop. */
  DriftScanStarted: z.strictObject({ cycle: z.int(), trigger: z.enum(CYCLE_TRIGGERS), dueAt: z.string().nullable(), cursor: z.string().nullable(), at: z.string() }),
  DriftFound: z.strictObject({ ...Drift.shape, at: z.string() }),
  /** The goal was created in the same append. */
  DriftAssigned: z.strictObject({ fingerprint: z.string(), goalId: z.string(), cycle: z.int(), at: z.string() }),
  /** The goal has ended and the drift is still there. It waits until `waitUntil` when what the goal did is still on its way. */
  DriftReleased: z.strictObject({
    fingerprint: z.string(),
    goalId: z.string(),
    outcome: z.enum(['failed', 'cancelled', 'unrepaired']),
    waitUntil: z.string().nullable(),
    /** The failure that broke the intent. */
    broke: z.boolean(),
    at: z.string(),
  }),
  DriftResolved: z.strictObject({ fingerprint: z.string(), resolution: z.enum(['repaired', 'gone']), goalId: z.string().nullable(), at: z.string() }),
  DriftScanFinished: z.strictObject({
    cycle: z.int(),
    /** Items looked at. */
    scanned: z.int(),
    found: z.int(),
    resolved: z.int(),
    goals: z.int(),
    open: z.int(),
    /** Where the next scan goes on; null when this one came to the end of the collection. */
    cursor: z.string().nullable(),
    at: z.string(),
  }),
  /** Something in the definition is not as it should be, and the cycle ran all the same. */
  IntentWarned: z.strictObject({ warning: z.enum(['unknown_time_zone']), detail: z.string(), cycle: z.int(), at: z.string() }),
});
export type IntentEvent = EventOf<typeof intentEvents>;
