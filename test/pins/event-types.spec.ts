import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../../apps/gateway/src/composition';

/** Event types are for ever. Add a line when one is added; a line is never changed or taken away. */
const EVER = {
  governance: [
    'SiteCreated', 'SettingsChanged', 'SecretsChanged', 'FlagChanged', 'ToolRegistered', 'ToolOverridden', 'ToolOverrideRemoved', 'ToolRemoved', 'ToolEnabled', 'ToolDisabled', 'RoleDefined',
    'RoleChanged', 'RoleDisabled', 'PolicyChanged', 'AutonomyGranted', 'AutonomyPromoted', 'AutonomyDemoted', 'AutonomyExpired', 'ScopeFrozen', 'FreezeLifted',
    'ConstitutionActivated', 'McpServerImported', 'IntentPaused', 'IntentResumed', 'IntentBroken',
  ],
  principal: ['PrincipalCreated', 'ApiKeyIssued', 'ApiKeyRotated', 'ApiKeyRevoked', 'CapabilitiesChanged', 'IdentityLinked', 'IdentityUnlinked'],
  user: ['UserInvited', 'UserChanged', 'UserKeyIssued', 'UserKeyRevoked', 'UserRemoved', 'UserIdentityLinked'],
  intent: ['IntentDeclared', 'IntentChanged', 'IntentDeleted', 'DriftScanStarted', 'DriftFound', 'DriftAssigned', 'DriftReleased', 'DriftResolved', 'DriftScanFinished', 'IntentWarned'],
  goal: ['GoalCreated', 'GoalStarted', 'GoalSettled', 'GoalCancelled', 'GoalDecomposed', 'GoalForgotten'],
  run: [
    'RunStarted', 'EnvelopeSealed', 'ConstitutionPinned', 'ToolCallAuthorised', 'ToolCallParked', 'ToolCallDeferred', 'ToolCallStaged', 'ToolCallDenied', 'ToolCallSucceeded', 'ToolCallFailed', 'RunParked', 'RunResumed',
    'RunCancelRequested', 'RunCancelled', 'RunSucceeded', 'RunFailed', 'ToolCallAnswered',
    'RunQueued', 'BudgetShared', 'ToolCallIndeterminate', 'IndeterminateResolved', 'WritesFlushed', 'LlmUsed', 'ArtifactAttached', 'LeaseTaken', 'LeaseLost', 'RunDeadLettered', 'RunRetried', 'RunForked', 'RunForgotten',
  ],
  approval: [
    'ApprovalRequested', 'ApprovalApproved', 'ApprovalRejected', 'ApprovalSuperseded', 'ApprovedCallSucceeded', 'ApprovedCallFailed', 'ApprovalVoteCast',
    'ApprovalAnswered', 'ApprovalExtended', 'ApprovalDelegated', 'ApprovalEscalated', 'ApprovalExpired', 'ReviewEscalated', 'ApprovalForgotten',
  ],
  incident: ['IncidentOpened', 'IncidentResolved'],
  promotion: ['PromotionProposed', 'PromotionDecided', 'PromotionWithdrawn'],
  constitution: ['ConstitutionDrafted', 'ConstitutionDryRun', 'ConstitutionBacktested', 'ConstitutionArchived'],
  collection: ['CollectionCreated', 'FieldAdded', 'CollectionGoverned', 'CollectionReleased', 'CollectionChanged', 'CollectionDeleted', 'FieldChanged', 'FieldRemoved', 'RelationAdded', 'RelationRemoved'],
  staging: ['ChangeStaged', 'StagingVetoed', 'StagingCommitted', 'StagingCommittedPartially', 'StagingCommitFailed', 'StagingAbandoned', 'ChangeForgotten'],
  item: ['ItemCreated', 'ItemPatched', 'ItemDeleted', 'FieldPinned', 'FieldUnpinned', 'ItemRestored', 'VersionCreated', 'VersionUpdated', 'VersionPromoted', 'VersionDeleted', 'EditExplained', 'DeletionAnnounced', 'DeletionWithdrawn'],
  load: ['BackpressureActivated', 'BackpressureReleased'],
  artifact: ['ArtifactDrafted', 'ArtifactRevised', 'ArtifactEvaluated', 'ArtifactSubmitted', 'ArtifactApproved', 'ArtifactReturned', 'ArtifactPublished', 'ArtifactRolledBack', 'ArtifactApplying', 'ArtifactUndoing', 'ArtifactWorkWaiting', 'ArtifactWorkFailed'],
  notification: ['NotificationDelivered', 'NotificationFailed'],
  notify: ['NotificationPreferencesChanged', 'NotificationChannelsChanged', 'PushSubscribed', 'PushUnsubscribed'],
  memory: ['MemoryStored', 'MemoryRedacted', 'MemoryForgotten'],
  subscription: ['SubscriptionCreated', 'SubscriptionReplayed', 'SubscriptionDeleted'],
  deployment: ['DeploymentTriggered', 'DeploymentSucceeded', 'DeploymentFailed'],
  desk: ['DeskFileCreated', 'DeskFileUpdated', 'DeskFileRenamed', 'DeskFileDeleted', 'DeskFileRestored'],
  flow: ['FlowDefined', 'FlowChanged', 'FlowDeleted', 'FlowStarted', 'FlowRan'],
  mcp: ['ControlPlaneSkillDenied'],
} as const;

const typesOf = (category: string) => catalogue.all().filter((each) => each.category === category).map(({ type }) => type).toSorted();

describe('Event types', () => {
  it.each(Object.entries(EVER))('[LOG-052] of %s streams are only ever added', (category, types) => {
    expect(typesOf(category)).toEqual(types.toSorted());
  });

  it('[LOG-052] are all pinned here', () => {
    expect(catalogue.all().map(({ type }) => type).toSorted()).toEqual(Object.values(EVER).flat().toSorted());
  });

  const knows = (category: string, named: readonly string[]) => expect(typesOf(category)).toEqual(expect.arrayContaining([...named]));

  it('[LOG-053] of a governance stream are all that the contract names', () => {
    knows('governance', [
      'SiteCreated', 'SettingsChanged', 'FlagChanged', 'RoleDefined', 'RoleChanged', 'RoleDisabled', 'ToolRegistered', 'ToolOverridden', 'ToolEnabled', 'ToolDisabled', 'McpServerImported',
      'AutonomyGranted', 'AutonomyPromoted', 'AutonomyDemoted', 'AutonomyExpired', 'ScopeFrozen', 'FreezeLifted', 'ConstitutionActivated', 'IntentPaused', 'IntentResumed', 'IntentBroken',
    ]);
  });

  it('[LOG-055] of a goal stream are all that the contract names', () => {
    knows('goal', ['GoalCreated', 'GoalDecomposed', 'GoalSettled', 'GoalCancelled']);
  });

  it('[LOG-056] of a run stream are all that the contract names', () => {
    knows('run', [
      'RunQueued', 'RunStarted', 'EnvelopeSealed', 'ConstitutionPinned', 'RunParked', 'RunResumed', 'LlmUsed', 'ArtifactAttached', 'WritesFlushed', 'RunCancelRequested', 'RunCancelled',
      'RunSucceeded', 'RunFailed', 'RunDeadLettered', 'RunRetried', 'RunForked', 'LeaseTaken', 'LeaseLost',
    ]);
  });

  it('[LOG-057] of a run stream record the calls as the contract names them', () => {
    knows('run', [
      'ToolCallAuthorised', 'ToolCallDenied', 'ToolCallDeferred', 'ToolCallStaged', 'ToolCallParked', 'ToolCallSucceeded', 'ToolCallFailed', 'ToolCallIndeterminate', 'IndeterminateResolved',
    ]);
  });

  it('[LOG-063] of a collection stream are all that the contract names', () => {
    knows('collection', ['CollectionCreated', 'CollectionChanged', 'CollectionDeleted', 'FieldAdded', 'FieldChanged', 'FieldRemoved', 'RelationAdded', 'RelationRemoved']);
  });

  it('[LOG-064] of an item stream are all that the contract names', () => {
    knows('item', ['ItemCreated', 'ItemPatched', 'ItemDeleted', 'ItemRestored', 'FieldPinned', 'FieldUnpinned', 'VersionCreated', 'VersionUpdated', 'VersionPromoted', 'VersionDeleted']);
  });

  it('[LOG-054] of a principal stream are all that the contract names', () => {
    knows('principal', ['PrincipalCreated', 'ApiKeyIssued', 'ApiKeyRotated', 'ApiKeyRevoked', 'CapabilitiesChanged']);
  });

  it.each([
    ['approval', ['ApprovalRequested', 'ApprovalApproved', 'ApprovalRejected', 'ApprovalExpired', 'ApprovalSuperseded', 'ReviewEscalated', 'ApprovedCallSucceeded', 'ApprovedCallFailed']],
    ['staging', ['ChangeStaged', 'StagingVetoed', 'StagingCommitted', 'StagingCommittedPartially', 'StagingCommitFailed', 'StagingAbandoned']],
    ['incident', ['IncidentOpened', 'IncidentResolved']],
    ['promotion', ['PromotionProposed', 'PromotionDecided', 'PromotionWithdrawn']],
    ['constitution', ['ConstitutionDrafted', 'ConstitutionDryRun', 'ConstitutionBacktested', 'ConstitutionArchived']],
  ])('[LOG-058] [LOG-059] [LOG-060] [LOG-061] %s streams know what the catalogue names', (name, types) => {
    expect(typesOf(name)).toEqual(expect.arrayContaining(types));
  });

  it('[LOG-069] desk streams know what the catalogue names, and are called desk-<id>', () => {
    knows('desk', ['DeskFileCreated', 'DeskFileUpdated', 'DeskFileRenamed', 'DeskFileDeleted', 'DeskFileRestored']);
  });
  it('[LOG-066] memory streams know what the catalogue names', () => {
    knows('memory', ['MemoryStored', 'MemoryRedacted', 'MemoryForgotten']);
  });
  it('[LOG-065] artifact streams know what the catalogue names', () => {
    knows('artifact', ['ArtifactDrafted', 'ArtifactRevised', 'ArtifactEvaluated', 'ArtifactSubmitted', 'ArtifactApproved', 'ArtifactPublished', 'ArtifactRolledBack']);
  });

  it('[LOG-070] load streams know the activation and the release of backpressure', () => {
    expect(typesOf('load')).toEqual(['BackpressureActivated', 'BackpressureReleased']);
  });
});
