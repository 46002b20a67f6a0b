export { Activity, type ActivityEntry, type ActivityQuery } from './activity';
export { ApiKeys, type ApiKey, type IssuedApiKey, type NewApiKey } from './api-keys';
export { claudeCodeHook, type HookInput, type HookOutput } from './adapters/claude-code-hook';
export { claudePermissions, type ClaudePermission, type ClaudePermissions } from './adapters/claude-agent-sdk';
export { governAiSdkTools } from './adapters/ai-sdk';
export { governLangChainTools } from './adapters/langchain';
export { governOpenAIAgentsTools } from './adapters/openai-agents';
export type { GovernOptions } from './adapters/governed-call';
export { registerClientTools, type ClientTool } from './adapters/client-tools';
export {
  Approvals, type ActedApproval, type AgentDecided, type AgentVerdict, type Approval, type ApprovalDetail, type ApprovalFeedback, type ApprovalQuery, type ApprovalStats, type BatchedDecision,
  type Decided, type Decision,
} from './approvals';
export {
  Artifacts, type AppWish, type Artifact, type ArtifactEvaluation, type ArtifactQuery, type ArtifactRevision, type ArtifactSummary, type EvaluatedArtifact, type GeneratedApp, type NewArtifact,
} from './artifacts';
export {
  Audit,
  type AuditEvent,
  type AuditExportQuery,
  type AuditQuery,
  type AuditStreamOptions,
  type ChainVerdict,
  type VerifyProgress,
  type VerifyStep,
} from './audit';
export { Autonomy, type AutonomyLedger, type Grant, type LevelChange, type LevelChangeQuery, type NewGrant } from './autonomy';
export type { Authorised, CarryOutOptions, ClientWork } from './carry-out';
export { Cdc, type CdcSubscription, type CdcSubscriptionStatus, type CreatedCdcSubscription, type DeletedCdcSubscription, type NewCdcSubscription } from './cdc';
export { HarnessError, SERVER_CODES, type ClientCode, type Code, type HarnessProblem, type ServerCode } from './connection/error';
export { EventStreamParser, type StreamMessage } from './connection/event-stream';
export type { InputOf } from './connection/input-of';
export type { ListQuery } from './connection/pages';
export type { RetryPolicy } from './connection/retry';
export type { Answer, HarnessOptions, LinesBody, Page, ReadOptions, WriteOptions } from './connection/transport';
export {
  Constitution, type ActivatedConstitution, type ConstitutionBacktest, type ConstitutionDifference, type ConstitutionDryRun, type ConstitutionQuery, type ConstitutionTrial,
  type ConstitutionVersion, type Evaluator, type NewConstitution,
} from './constitution';
export {
  Collections, Items, type Collection, type ExportQuery, type Field, type FieldSettings, type Item, type ItemData, type ItemQuery, type Pins, type Refresh, type Relation, type Revision,
  type Version, type VersionComparison,
} from './content';
export { DEMO_COLLECTION, DEMO_PRODUCTS, type DemoProduct } from './demo/demo-content';
export { Privacy, type ForgottenSubject } from './privacy';
export { Memories, type FoundMemory, type Memory, type MemoryReader, type MemoryRedaction, type MemorySearch, type NewMemory } from './memory';
export { Desk, type DeskFile, type DeskFileRevision, type DeskFileRevisionSummary, type DeskFileSummary, type DeskQuery, type FoundDeskFile, type NewDeskFile } from './desk';
export { Deployments, type Deployment, type DeploymentQuery, type DeploymentTarget, type NewDeployment } from './deployments';
export { Flows, type Flow, type FlowChange, type FlowOperation, type FlowTrigger, type NewFlow, type StartedFlow } from './flows';
export {
  Goals, type CancelledGoal, type CreatedGoal, type CreateGoal, type DecomposedGoal, type Goal, type GoalBudget, type GoalPart, type GoalQuery, type SettledGoal, type StartGoal,
} from './goals';
export { Harness } from './harness';
export { HealthChecks, type Health } from './health';
export { Incidents, type Incident, type IncidentQuery, type NewIncident, type ResolvedIncident } from './incidents';
export { Intents, type CompiledIntent, type Drift, type DriftQuery, type Intent, type IntentChange, type IntentCycle, type IntentQuery, type NewIntent } from './intents';
export { KillSwitch, type CallInFlight, type Freeze, type Freezes, type Killed, type KillOrder, type Lifted, type LiftOrder } from './kill-switch';
export type { EventActor, LogEvent } from './log-event';
export { DeadLetters, Ops, type DeadLetter, type RequeuedLetter, type ProjectionStatus, type ProjectionVerdict, type ProjectionOrder, type RebuildProgress } from './ops';
export type { CallOutcome } from './outcome';
export { Policies, type NewPolicies, type PolicyRules, type PolicyTest, type PolicyTests } from './policies';
export { Promotions, type CheckedPromotions, type DecidedPromotion, type Promotion, type PromotionDecision, type PromotionQuery } from './promotions';
export type { InclusionProof, ProofLink, SignedCheckpoint } from './proof/proof';
export { verifyProof, type ProofVerdict } from './proof/verify-proof';
export {
  Replay,
  type ApprovalAt,
  type AutonomyAt,
  type BacktestDifference,
  type BacktestStep,
  type Candidate,
  type GovernanceAt,
  type GovernanceSnapshot,
  type Moment,
  type ReplayMismatch,
  type ReplayScope,
  type ReplayStep,
  type ReplayVerdict,
  type RunAt,
  type StreamAt,
} from './replay';
export { Roles, type AgentRole, type NewRole, type RoleChange } from './roles';
export {
  Run, Runs, type CallOptions, type EndedRun, type ForkOverrides, type Resolution, type RunQuery, type RunRow, type RunToken, type RunView, type StreamOptions,
} from './run';
export { RequestVerifier, type ReceivedRequest, type RequestVerifierOptions, type VerifiedRequest } from './signed-requests/request-verifier';
export { Sites, type CreatedSite } from './sites';
export { Staged, type StagedChange, type StagedQuery } from './staged';
export type { ToolCallResult, ToolCallStatus } from './tool-call';
export { Tools, type McpImportResult, type McpServerImport, type Tool, type ToolDefinition, type ToolDryRun, type ToolQuery, type ToolSettings, type ToolTrial } from './tools';
export { Users, type NewUser, type User, type UserChange, type UserQuery } from './users';
export type { ApprovedCall, SettledApproval } from './wait-for-approval';
export { verifyWebhook, type ReceivedWebhook, type SeenWebhooks, type VerifiedWebhook } from './webhooks/verify-webhook';
export type { WorkerCall, WorkerOptions } from './worker';
