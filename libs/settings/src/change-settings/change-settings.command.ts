import { Settings } from '@app/governance/contract';
import { Command, type Context, type Outcome } from '@app/kernel';
import { SecretsChange } from '@app/vault/contract';
import { z } from 'zod';
import type { SettingsView } from '../settings.view';

const { promotion, budget, approvalExpiryMsByKind } = Settings.shape;
const Flags = z.strictObject({ reconciler: z.boolean(), vetoWindow: z.boolean(), agentReview: z.boolean(), mcp: z.boolean() }).partial();
const orNull = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

/** Any subset. Lists and numbers are replaced; limits and secrets by name are merged, and null takes one away. */
export const ChangeSettingsBody = Settings.partial().extend({
  contentOs: Flags.optional(),
  promotion: promotion.partial().optional(),
  budget: z.strictObject({
    maxToolCalls: orNull(budget.shape.maxToolCalls),
    maxCostUsd: orNull(budget.shape.maxCostUsd),
    timeoutMs: orNull(budget.shape.timeoutMs),
    maxArtifactBytes: orNull(budget.shape.maxArtifactBytes),
  }).optional(),
  approvalExpiryMsByKind: z.partialRecord(approvalExpiryMsByKind.keyType, approvalExpiryMsByKind.valueType.nullable()).optional(),
  /** Written and never read back: answers and events hold their names alone. */
  secrets: SecretsChange.optional(),
}).meta({ id: 'ChangeSettings' });
export type ChangeSettingsBody = z.infer<typeof ChangeSettingsBody>;

export class ChangeSettings extends Command<Outcome<SettingsView>> {
  constructor(
    readonly body: ChangeSettingsBody,
    readonly context: Context,
  ) {
    super();
  }
}
