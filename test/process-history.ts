import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../apps/gateway/src/composition';

/** A day before anything comes due. */
export const START = Date.parse('2030-01-01T10:00:00.000Z');
export const SITE = 'site_a';
const KEY = 'key_01a22c460ba2767a9ba6ae61545fdb14';

export type Written = { readonly streamId: string; readonly type: string; readonly data: object; readonly eventId: string };
/** What happens in a history: each gives a process of the product something to do. `minute` is when it falls due, counted from a day after the start. */
export const STORIES = ['queued', 'deadline', 'question', 'deployment', 'staged', 'schedule', 'trigger', 'occurrence', 'intent', 'artifact', 'parts', 'drift', 'lost'] as const;
export type Story = { readonly what: (typeof STORIES)[number]; readonly minute: number };

const sample = (type: string): object => JSON.parse(readFileSync(join(import.meta.dirname, 'corpus', `${type}.v${catalogue.versionOf(type)}.json`), 'utf8')) as object;

/** The events of the stories, each with an id that follows from its place: the same log can be written twice. */
export const historyOf = (stories: readonly Story[]): readonly Written[] => {
  let made = 0;
  const written: Written[] = [];
  const nextId = () => `0194c9e0-0000-7000-8000-${(++made).toString(16).padStart(12, '0')}`;
  const tell = (streamId: string, type: string, data: object = {}, eventId = nextId()) => written.push({ streamId, type, data: { ...sample(type), ...data }, eventId });
  tell(`governance-${SITE}`, 'SiteCreated', { siteId: SITE });
  tell(`governance-${SITE}`, 'FlagChanged', { flag: 'reconciler', on: true });
  tell(`principal-${KEY}`, 'PrincipalCreated', { principalId: KEY, siteId: SITE });
  tell(`principal-${KEY}`, 'ApiKeyIssued', { keyId: KEY, expiresAt: null });
  for (const [nr, { what, minute }] of stories.entries()) {
    const id = (prefix: string) => `${prefix}_${nr.toString(16).padStart(32, '0')}`;
    const at = new Date(START + 86_400_000 + minute * 60_000).toISOString();
    const flow = (trigger: object, nextRunAt: string | null) => tell(`flow-${id('flow')}`, 'FlowDefined', { flowId: id('flow'), siteId: SITE, principalId: KEY, trigger, nextRunAt });
    const goal = (of: string, data: object = {}) => tell(`goal-${of}`, 'GoalCreated', { goalId: of, ...data });
    const { maintenanceWindow: _always, ...definition } = (sample('IntentDeclared') as { readonly definition: Record<string, unknown> }).definition;
    const declare = () => tell(`intent-${id('int')}`, 'IntentDeclared', { intentId: id('int'), siteId: SITE, definition });
    switch (what) {
      case 'queued':
        tell(`run-${id('run')}`, 'RunQueued', { runId: id('run'), goalId: id('goal') });
        break;
      case 'deadline':
        goal(id('goal'), { deadline: at });
        break;
      case 'question':
        tell(`approval-${id('appr')}`, 'ApprovalRequested', { approvalId: id('appr'), siteId: SITE, kind: 'plan', expiresAt: at });
        break;
      case 'deployment':
        tell(`deployment-${id('dep')}`, 'DeploymentTriggered', { deploymentId: id('dep'), siteId: SITE, at });
        break;
      case 'staged':
        tell(`staging-${id('stg')}`, 'ChangeStaged', { stagingId: id('stg'), approvalId: id('appr'), itemId: id('item'), siteId: SITE, autoCommitAt: at });
        break;
      case 'schedule':
        flow({ on: 'cron', expression: '0 2 * * *', tz: 'UTC' }, at);
        break;
      case 'trigger':
        flow({ on: 'event', types: ['DeploymentTriggered'] }, null);
        for (const each of ['one', 'two']) tell(`deployment-${id('dep')}${each}`, 'DeploymentTriggered', { deploymentId: `${id('dep')}${each}`, siteId: SITE, at });
        break;
      case 'occurrence': {
        flow({ on: 'cron', expression: '0 2 * * *', tz: 'UTC' }, null);
        const occurrenceId = nextId();
        tell(`flow-${id('flow')}`, 'FlowStarted', { occurrenceId, goalId: id('goal'), runId: id('run'), nextRunAt: null, at }, occurrenceId);
        break;
      }
      case 'intent':
        declare();
        break;
      case 'artifact': {
        tell(`artifact-${id('art')}`, 'ArtifactDrafted', { artifactId: id('art'), siteId: SITE });
        const workId = nextId();
        tell(`artifact-${id('art')}`, 'ArtifactApplying', { version: 1, previousVersion: null, workId, goalId: id('goal'), runId: id('run'), principalId: KEY, at }, workId);
        break;
      }
      case 'parts':
        goal(id('goal'), { parentGoalId: 'goal_whole' });
        tell(`goal-${id('goal')}`, 'GoalSettled');
        break;
      case 'drift': {
        const fingerprint = `${id('int')}:${id('item')}:required_fields:title`;
        declare();
        tell(`intent-${id('int')}`, 'DriftScanStarted');
        tell(`intent-${id('int')}`, 'DriftFound', { fingerprint, itemId: id('item') });
        tell(`intent-${id('int')}`, 'DriftAssigned', { fingerprint, goalId: id('goal') });
        goal(id('goal'), { origin: 'reconciler', intentId: id('int'), driftFingerprint: fingerprint });
        tell(`goal-${id('goal')}`, 'GoalSettled');
        break;
      }
      case 'lost':
        tell(`run-${id('run')}`, 'ToolCallAuthorised', { callId: id('call') });
        break;
    }
  }
  return written;
};
