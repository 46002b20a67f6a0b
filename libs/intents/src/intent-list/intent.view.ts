import { INTENT_STATUSES } from '@app/governance/contract';
import { z } from 'zod';
import { IntentBudget, MaintenanceWindow, Rule } from '../intent.schema';

const LastCycle = z.object({ cycle: z.int(), startedAt: z.string(), finishedAt: z.string().nullable(), goals: z.int() });

/** An intent as it stands. `nextRunAt` is null while it makes no work. */
export const IntentView = z.object({
  id: z.string(),
  siteId: z.string(),
  name: z.string(),
  collection: z.string(),
  rules: z.array(Rule).readonly(),
  schedule: z.string(),
  tz: z.string().nullable(),
  budget: IntentBudget,
  autonomyCap: z.int().nullable(),
  maintenanceWindow: MaintenanceWindow.nullable(),
  status: z.enum(INTENT_STATUSES),
  openDrifts: z.int(),
  /** Goals that failed in a row; the third one breaks the intent. */
  failures: z.int(),
  lastCycle: LastCycle.nullable(),
  nextRunAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
}).meta({ id: 'Intent' });
export type IntentView = Readonly<z.infer<typeof IntentView>>;
