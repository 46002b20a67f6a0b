import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { PolicyRules } from './policy.schema';
import { Role, RoleName } from './role.schema';
import { Flag, SettingsChange } from './settings.schema';
import { Capability, ToolDefinition, ToolGovernance, ToolName } from './tool.schema';

const Level = z.int().min(0).max(4);
const Grant = { agentRole: z.string(), capability: Capability, level: Level };
/** How an upstream MCP server is reached. Values of headers and variables that are secret are names: `secret://name`. */
const Transport = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('http'), url: z.string(), headers: z.record(z.string(), z.string()).optional() }),
  z.strictObject({ type: z.literal('stdio'), command: z.string(), args: z.array(z.string()).optional(), env: z.record(z.string(), z.string()).optional() }),
]);
export const FREEZE_SCOPES = ['run', 'intent', 'role', 'site'] as const;

/** Everything an authorisation depends on lives in one stream per site, so that one guard covers it all. */
export const governanceEvents = eventFamily('governance', {
  SiteCreated: z.strictObject({ siteId: z.string(), name: z.string() }),
  SettingsChanged: z.strictObject({ changes: SettingsChange }),
  /** Names only: no event ever holds the value of a secret. */
  SecretsChanged: z.strictObject({ set: z.array(z.string()), removed: z.array(z.string()) }),
  FlagChanged: z.strictObject({ flag: Flag, on: z.boolean() }),
  ToolRegistered: z.strictObject({ tool: ToolDefinition }),
  ToolOverridden: z.strictObject({ name: ToolName, override: ToolGovernance }),
  ToolOverrideRemoved: z.strictObject({ name: ToolName }),
  /** A tool of the site's own is no longer one. */
  ToolRemoved: z.strictObject({ name: ToolName }),
  ToolEnabled: z.strictObject({ name: ToolName }),
  ToolDisabled: z.strictObject({ name: ToolName, reason: z.string().optional() }),
  RoleDefined: z.strictObject({ role: Role }),
  RoleChanged: z.strictObject({ role: Role }),
  RoleDisabled: z.strictObject({ name: RoleName }),
  PolicyChanged: z.strictObject({ rules: PolicyRules }),
  /** `from` is the level that counted before; null when there was no grant that counted. */
  AutonomyGranted: z.strictObject({ ...Grant, from: Level.nullable(), expiresAt: z.string().nullable(), grantedBy: z.string() }),
  AutonomyPromoted: z.strictObject({ ...Grant, from: Level, promotionId: z.string(), decidedBy: z.string() }),
  AutonomyDemoted: z.strictObject({ ...Grant, from: Level, incidentId: z.string() }),
  AutonomyExpired: z.strictObject({ agentRole: z.string(), capability: Capability }),
  ScopeFrozen: z.strictObject({
    freezeId: z.string(),
    scope: z.enum(FREEZE_SCOPES),
    targetId: z.string().nullable(),
    reason: z.string().nullable(),
    by: z.string(),
  }),
  FreezeLifted: z.strictObject({ freezeId: z.string(), by: z.string() }),
  /** `findings` are what the descriptions of its tools made suspicious. */
  McpServerImported: z.strictObject({
    server: z.string(),
    transport: Transport,
    imported: z.array(z.string()),
    changed: z.array(z.string()),
    skipped: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
    findings: z.array(z.strictObject({ tool: z.string(), finding: z.string() })),
  }),
  IntentPaused: z.strictObject({ intentId: z.string(), by: z.string(), reason: z.string().nullable() }),
  IntentResumed: z.strictObject({ intentId: z.string(), by: z.string() }),
  IntentBroken: z.strictObject({ intentId: z.string(), reason: z.string(), incidentId: z.string() }),
  ConstitutionActivated: z.strictObject({
    constitutionId: z.string(),
    hash: z.string(),
    previousHash: z.string().nullable(),
    added: z.array(z.string()),
    removed: z.array(z.string()),
    changed: z.array(z.string()),
  }),
});
export type GovernanceEvent = EventOf<typeof governanceEvents>;
