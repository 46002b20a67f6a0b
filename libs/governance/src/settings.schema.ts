import { z } from 'zod';
import { HttpTarget } from './tool.schema';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
export const DEFAULT_VETO_WINDOW_MS = 4 * HOUR;
export const DEFAULT_APPROVAL_EXPIRY_MS = 7 * DAY;

export const FLAGS = ['reconciler', 'vetoWindow', 'agentReview', 'mcp'] as const;
export const Flag = z.enum(FLAGS);
export type Flag = z.infer<typeof Flag>;

const Duration = z.int().min(1_000).max(365 * DAY);

/** Where something of the site is deployed: the hook is called like an http tool, signed and with secrets by name. */
export const DeploymentTarget = HttpTarget.extend({ name: z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Must be a name, e.g. production') });
export type DeploymentTarget = Readonly<z.infer<typeof DeploymentTarget>>;
const isUnique = (targets: readonly DeploymentTarget[]) => new Set(targets.map(({ name }) => name)).size === targets.length;

/** What a site may set. All durations are milliseconds. */
export const Settings = z.strictObject({
  vetoWindowMs: Duration,
  agentReviewMinConfidence: z.number().min(0).max(1),
  /** Nobody decides what they themselves asked for. */
  separationOfDuties: z.boolean(),
  approvalExpiryMs: Duration,
  /** By kind of approval; wins over `approvalExpiryMs`. */
  approvalExpiryMsByKind: z.partialRecord(z.enum(['plan', 'tool_call', 'artifact', 'schema_diff', 'veto', 'promotion']), Duration),
  promotion: z.strictObject({ streak: z.int().min(1), decided: z.int().min(1), rate: z.number().min(0).max(1) }),
  /** Budget of runs that name none. */
  budget: z.strictObject({
    maxToolCalls: z.int().min(0).max(1_000_000).optional(),
    maxCostUsd: z.number().min(0).max(1_000_000).optional(),
    timeoutMs: z.int().min(0).max(7 * DAY).optional(),
    maxArtifactBytes: z.int().min(0).max(1_073_741_824).optional(),
  }),
  notifications: z.strictObject({ channels: z.array(z.string().min(1).max(200)).max(50) }),
  outbound: z.strictObject({ allowHosts: z.array(z.string().min(1).max(255)).max(200) }),
  /** The site's deploy hooks; none until somebody sets them. */
  deployments: z.strictObject({ targets: z.array(DeploymentTarget).max(50).refine(isUnique, 'Every target has a name of its own') }).optional(),
});
export type Settings = Readonly<z.infer<typeof Settings>>;
export const SettingsChange = Settings.partial();
export type SettingsChange = z.infer<typeof SettingsChange>;

export const DEFAULT_SETTINGS: Settings = {
  vetoWindowMs: DEFAULT_VETO_WINDOW_MS,
  agentReviewMinConfidence: 0.8,
  separationOfDuties: false,
  approvalExpiryMs: DEFAULT_APPROVAL_EXPIRY_MS,
  approvalExpiryMsByKind: {},
  promotion: { streak: 20, decided: 10, rate: 0.95 },
  budget: {},
  notifications: { channels: [] },
  outbound: { allowHosts: [] },
};
