import { FLAGS, Settings, type Site } from '@app/governance/contract';
import { Budget } from '@app/runs/contract';
import { z } from 'zod';

/** The settings in force on a site, defaults filled in. Durations are milliseconds. */
export const SettingsView = z.object({
  contentOs: z.object({ reconciler: z.boolean(), vetoWindow: z.boolean(), agentReview: z.boolean(), mcp: z.boolean() }),
  ...Settings.shape,
  budget: Budget,
  /** Names of the secrets that are set; a tool uses one as `secret://name`. No answer holds a value. */
  secrets: z.array(z.string()),
  governanceVersion: z.int(),
}).meta({ id: 'Settings' });
export type SettingsView = z.infer<typeof SettingsView>;

export const settingsView = ({ settings, flags }: Site, secrets: readonly string[], governanceVersion: number): SettingsView => ({
  contentOs: Object.fromEntries(FLAGS.map((flag) => [flag, flags[flag]])) as SettingsView['contentOs'],
  ...settings,
  budget: Budget.parse(settings.budget),
  secrets: [...secrets],
  governanceVersion,
});
