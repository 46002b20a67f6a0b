import { activity } from '@app/activity';
import { approvalEvents, approvals } from '@app/approvals';
import { approval } from '@app/approvals/contract';
import { artifactEvents, artifacts } from '@app/artifacts';
import { artifact } from '@app/artifacts/contract';
import { auditProjections } from '@app/audit';
import { constitutionEvents, constitutions } from '@app/constitution';
import { constitution } from '@app/constitution/contract';
import { contentEvents, contentProjections } from '@app/content';
import { collection, item } from '@app/content/contract';
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
import type { AnyProjection } from '@app/projections';
import type { ReplayOptions } from '@app/replay';
import { runEvents, runs } from '@app/runs';
import { run } from '@app/runs/contract';
import { apiKeys, principalEvents } from '@app/sites';
import { principal } from '@app/sites/contract';
import { stagingEvents, stagings } from '@app/staging';
import { staging } from '@app/staging/contract';
import { incidentEvents, incidents, promotionEvents, promotions, trustRuns } from '@app/trust';
import { incident, promotion } from '@app/trust/contract';

/** Every event type of the product. */
export const catalogue = new Catalogue(governanceEvents, intentEvents, principalEvents, goalEvents, runEvents, approvalEvents, constitutionEvents, incidentEvents, promotionEvents, stagingEvents, loadEvents, flowEvents, artifactEvents, ...contentEvents);

/** Every read model of the product. */
export const projections = [apiKeys, goals, runs, callsInFlight, approvals, constitutions, incidents, promotions, trustRuns, stagings, intents, drifts, flows, artifacts, activity, ...contentProjections, ...auditProjections] as readonly AnyProjection[];

/** How the streams of every category fold, so that each can be shown as it was. */
export const aggregates: ReplayOptions['aggregates'] = [governance, principal, intent, goal, run, approval, constitution, incident, promotion, staging, load, flow, artifact, collection, item];
