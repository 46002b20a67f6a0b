import { activity } from '@app/activity';
import { approvalEvents, approvals } from '@app/approvals';
import { approval } from '@app/approvals/contract';
import { artifactEvents, artifacts } from '@app/artifacts';
import { artifact } from '@app/artifacts/contract';
import { auditProjections } from '@app/audit';
import { subscriptionEvents, subscriptions } from '@app/cdc';
import { subscription } from '@app/cdc/contract';
import { constitutionEvents, constitutions } from '@app/constitution';
import { constitution } from '@app/constitution/contract';
import { contentEvents, contentProjections } from '@app/content';
import { collection, item } from '@app/content/contract';
import { deploymentEvents, deployments } from '@app/deployments';
import { deployment } from '@app/deployments/contract';
import { deskEvents, deskProjections } from '@app/desk';
import { deskFile } from '@app/desk/contract';
import { flowEvents, flows } from '@app/flows';
import { flow } from '@app/flows/contract';
import { goalEvents, goals } from '@app/goals';
import { goal } from '@app/goals/contract';
import { governanceEvents } from '@app/governance';
import { governance } from '@app/governance/contract';
import { drifts, intentEvents, intents } from '@app/intents';
import { intent } from '@app/intents/contract';
import { Catalogue } from '@app/kernel';
import { callsInFlight } from '@app/kill-switch';
import { loadEvents } from '@app/load-guard';
import { load } from '@app/load-guard/contract';
import { memories, memoryEvents } from '@app/memory';
import { memory } from '@app/memory/contract';
import { mcpEvents } from '@app/mcp-endpoint';
import { mcpAccess } from '@app/mcp-endpoint/contract';
import { deliveryAttempts, inbox, notificationEvents, notifyEvents } from '@app/notifications';
import { deliveries, notifySettings } from '@app/notifications/contract';
import type { AnyProjection } from '@app/projections';
import type { ReplayOptions } from '@app/replay';
import { runEvents, runs } from '@app/runs';
import { run } from '@app/runs/contract';
import { apiKeys, principalEvents, userEvents, users } from '@app/sites';
import { principal, user } from '@app/sites/contract';
import { stagingEvents, stagings } from '@app/staging';
import { staging } from '@app/staging/contract';
import { incidentEvents, incidents, promotionEvents, promotions, trustRuns } from '@app/trust';
import { incident, promotion } from '@app/trust/contract';

/** Every event type of the product. */
export const catalogue = new Catalogue(governanceEvents, intentEvents, principalEvents, userEvents, goalEvents, runEvents, approvalEvents, constitutionEvents, incidentEvents, promotionEvents, stagingEvents, loadEvents, flowEvents, artifactEvents, memoryEvents, deskEvents, subscriptionEvents, deploymentEvents, mcpEvents, notificationEvents, notifyEvents, ...contentEvents);

/** Every read model of the product. */
export const projections = [apiKeys, users, goals, runs, callsInFlight, approvals, constitutions, incidents, promotions, trustRuns, stagings, intents, drifts, flows, artifacts, memories, subscriptions, deployments, inbox, deliveryAttempts, activity, ...contentProjections, ...deskProjections, ...auditProjections] as readonly AnyProjection[];

/** How the streams of every category fold, so that each can be shown as it was. */
export const aggregates: ReplayOptions['aggregates'] = [governance, principal, user, intent, goal, run, approval, constitution, incident, promotion, staging, load, flow, artifact, memory, deskFile, subscription, deployment, mcpAccess, deliveries, notifySettings, collection, item];
