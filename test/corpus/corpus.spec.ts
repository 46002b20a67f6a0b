import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { approval } from '@app/approvals/contract';
import { artifact } from '@app/artifacts/contract';
import { subscription } from '@app/cdc/contract';
import { constitution } from '@app/constitution/contract';
import { deployment } from '@app/deployments/contract';
import { deskFile } from '@app/desk/contract';
import { flow } from '@app/flows/contract';
import { goal } from '@app/goals/contract';
import { governance } from '@app/governance/contract';
import { intent } from '@app/intents/contract';
import type { Aggregate, Event } from '@app/kernel';
import { load } from '@app/load-guard/contract';
import { mcpAccess } from '@app/mcp-endpoint/contract';
import { memory } from '@app/memory/contract';
import { deliveries, notifySettings } from '@app/notifications/contract';
import { run } from '@app/runs/contract';
import { incident, promotion } from '@app/trust/contract';
import { staging } from '@app/staging/contract';
import { describe, expect, it } from '@jest/globals';
import { catalogue } from '../../apps/gateway/src/composition';
import { collection } from '../../libs/content/src/collection.state';
import { item } from '../../libs/content/src/item.state';
import { principal } from '../../libs/sites/src/principal.state';
import { user } from '../../libs/sites/src/user.state';

const folder = import.meta.dirname;
const samples = readdirSync(folder).flatMap((file) => {
  const [, type, version] = /^([A-Za-z]+)\.v(\d+)\.json$/.exec(file) ?? [];
  return type === undefined ? [] : [{ type, version: Number(version), data: JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown }];
});
const aggregates = Object.fromEntries(
  ([governance, principal, user, intent, goal, run, approval, constitution, staging, incident, promotion, load, flow, artifact, memory, mcpAccess, deskFile, subscription, deployment, deliveries, notifySettings, collection, item] as unknown as Aggregate<unknown, Event>[]).map((each) => [each.category, each]),
);

/** What a stream must have begun with so that the sample says something to its fold. */
const OPENING: Readonly<Record<string, readonly string[]>> = {
  governance: ['SiteCreated', 'ToolRegistered'], principal: ['PrincipalCreated'], user: ['UserInvited'], goal: ['GoalCreated'], run: ['RunStarted', 'EnvelopeSealed'],
  approval: ['ApprovalRequested'], intent: ['IntentDeclared', 'DriftScanStarted', 'DriftFound', 'DriftAssigned'], constitution: ['ConstitutionDrafted'], collection: ['CollectionCreated'], item: ['ItemCreated'], staging: ['ChangeStaged'], incident: ['IncidentOpened'],
  promotion: ['PromotionProposed'], load: ['BackpressureActivated'], flow: ['FlowDefined'], subscription: ['SubscriptionCreated'], deployment: ['DeploymentTriggered'], desk: ['DeskFileCreated'], artifact: ['ArtifactDrafted'], notify: ['PushSubscribed', 'NotificationPreferencesChanged'], notification: [], mcp: ['ControlPlaneSkillDenied'], memory: ['MemoryStored'],
};
const sampleOf = (type: string) => samples.find((sample) => sample.type === type)!;
const today = ({ type, version, data }: (typeof samples)[number]): Event => ({ type, data: catalogue.upcast(type, version, data) as never });

describe('The corpus of events', () => {
  it('[LOG-050] holds a sample of every version of every event type', () => {
    const missing = catalogue.all().flatMap(({ type, version }) =>
      Array.from({ length: version }, (_, n) => `${type}.v${n + 1}`).filter((name) => !samples.some((sample) => `${sample.type}.v${sample.version}` === name)),
    );
    expect(missing).toEqual([]);
    expect(samples.filter(({ type, version }) => version > (catalogue.versionOf(type) ?? 0))).toEqual([]);
  });

  it.each(samples.map((sample) => [`${sample.type}.v${sample.version}`, sample] as const))('[LOG-015] %s upcasts to what is written today, and folds', (_name, sample) => {
    const event = today(sample);
    expect(catalogue.problems(event)).toEqual([]);
    const { category } = catalogue.all().find(({ type }) => type === sample.type)!;
    const aggregate = aggregates[category]!;
    const opening = OPENING[category]!.filter((type) => type !== sample.type).map((type) => today(sampleOf(type)));
    const state = [...opening, event].reduce(aggregate.evolve, aggregate.initial);
    expect(state).not.toEqual(aggregate.initial);
  });
});
