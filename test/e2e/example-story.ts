import { randomUUID } from 'node:crypto';
import { AT, id } from '../../apps/gateway/src/reference/ids';
import { operationsOf } from './openapi';
import type { Answer, Api, Body } from './server';

/** Which example id stands where a path has a parameter. */
const IDS: Readonly<Record<string, string>> = {
  goalId: 'goal', runId: 'run', approvalId: 'appr', stagingId: 'stg', incidentId: 'inc', constitutionId: 'con', intentId: 'int', artifactId: 'art', memoryId: 'mem', fileId: 'desk',
  keyId: 'key', userId: 'usr', flowId: 'flow', subscriptionId: 'sub', leaseId: 'lease', id: 'item',
};

/** Operations whose example no server takes as it is, and why. */
export const NOT_SENT: Readonly<Record<string, string>> = {
  decisionsDecide: 'needs a link that was mailed', explainEditPost: 'needs an edit that pinned a field', intentsCompile: 'needs a language model',
  mcpImportImportMcp: 'reads from the address it names', promotionsDecide: 'needs a streak of decided calls', projectionsSkip: 'needs a read model that is stopped at an event',
  resolveCallPost: 'needs a call whose process was killed', startGoalStart: 'needs a goal that an intent brought forth', mcpPost: 'speaks a protocol of its own',
};

type Sent = { readonly operation: string; readonly answer: Answer };

/** Sends the examples of the reference in an order in which each of them makes sense. Ids of examples become those that earlier answers brought. */
export class ExampleStory {
  readonly sent: Sent[] = [];
  /** What stands in the place of what examples say. Their times are far away, and nobody is to look for their hosts: what is sent there fails at once. */
  private readonly ids = new Map([[AT, new Date(Date.now() + 86_400_000 * 14).toISOString()], ...['hooks', 'index', 'push'].map((host) => [`https://${host}.shop.example`, 'http://127.0.0.1:9'] as const)]);
  private readonly operations;

  constructor(document: Body, private readonly api: Api) {
    this.operations = new Map(operationsOf(document).map(({ method, path, operation }) => [operation.operationId as string, { method, path, body: operation.requestBody?.content }]));
  }

  private readonly known = (kind: string, value: unknown) => void this.ids.set(id(kind), value as string);

  private async send(operation: string, given: Readonly<Record<string, string>> = {}): Promise<Body> {
    const { method, path, body: content } = this.operations.get(operation)!;
    const [[type, media]] = Object.entries(content as Body) as [[string, Body]];
    let text = typeof media.example === 'string' ? media.example : JSON.stringify(media.example);
    for (const [sample, real] of this.ids) text = text.replaceAll(sample, real);
    const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => given[name] ?? this.ids.get(id(IDS[name]!))!);
    const answer = await this.api(method, target, text, { 'content-type': type });
    this.sent.push({ operation, answer });
    return answer.body?.data;
  }

  private async ask(path: string, body: unknown, method = 'POST'): Promise<Body> {
    return (await this.api(method, path, body)).body.data;
  }

  private async call(runId: string, tool: string, input: object): Promise<Body> {
    return this.ask(`agent/runs/${runId}/tool-calls`, { tool, arguments: input, callId: randomUUID() });
  }

  private async deletion(): Promise<void> {
    const { runId } = await this.ask('agent/goals', { title: 'Clear out', agentName: 'tidy-bot' });
    const { id: item } = await this.ask('items/products', { data: { sku: randomUUID().slice(0, 8), title: 'broken' } });
    const { approvalId } = await this.call(runId, 'deleteItem', { collection: 'products', id: item });
    this.known('appr', approvalId);
  }

  async tell(): Promise<readonly Sent[]> {
    await this.whoMay();
    await this.content();
    await this.rules();
    await this.work();
    await this.decisions();
    await this.artifacts();
    await this.people();
    await this.workers();
    return this.sent;
  }

  private async whoMay() {
    await this.send('settingsPut');
    await this.send('sitesCreate');
    this.known('key', (await this.send('apiKeysIssue')).id);
    await this.send('apiKeysChange');
    this.known('usr', (await this.send('usersInvite')).id);
    await this.send('usersChange');
    await this.send('rolesDefine');
    await this.send('rolesChange', { name: 'Clerk' });
  }

  private async content() {
    await this.send('createCollectionPost');
    const shelves = { name: 'shelves', collection: 'shelves' };
    await this.send('addFieldPost', shelves);
    await this.send('relationsPost', shelves);
    await this.send('changeFieldPatch', { ...shelves, field: 'rows' });
    await this.send('changeCollectionPatch', shelves);
    this.known('item', (await this.send('createItemPost', shelves)).id);
    await this.send('updateItemPatch', shelves);
    await this.send('itemVersionsCreate', shelves);
    await this.send('itemVersionsUpdate', { ...shelves, version: 'spring' });
    await this.send('pinFieldsPost', shelves);
    await this.send('importItemsPost', { collection: 'products' });
    this.known('item', (await this.ask('items/products', { data: { sku: 'S-1', title: 'teapot' } })).id);
    this.known('desk', (await this.send('deskCreate')).id);
    await this.send('deskRestore');
    this.known('mem', (await this.send('memoryWrite')).id);
    await this.send('memoryRedact');
    await this.send('privacyForget');
  }

  private async rules() {
    await this.send('policiesTest');
    await this.send('policiesPut');
    // By night it would ask about everything that follows.
    await this.ask('agent/policies', { rules: [] }, 'PUT');
    await this.send('toolsPut', { name: 'weather' });
    await this.send('toolsDryRun', { name: 'updateItem' });
    this.known('con', (await this.send('constitutionsDraft')).id);
    await this.send('constitutionsDryRun');
    await this.send('constitutionsBacktest');
    this.known('int', (await this.send('intentsDeclare')).id);
    await this.send('intentsChange');
    await this.send('intentsPause');
    this.known('flow', (await this.send('flowsDefine')).id);
    await this.send('flowsChange');
    await this.send('autonomyGrant');
    await this.send('backtestRun');
    this.known('inc', (await this.send('incidentsOpen')).id);
    await this.send('incidentsResolve');
    await this.send('killSwitchKill');
    await this.send('killSwitchLift');
  }

  private async work() {
    for (const operation of ['endRunComplete', 'endRunFail', 'endRunCancel']) {
      const { runId } = await this.ask('agent/goals', { title: 'Over', agentName: 'tidy-bot' });
      await this.send(operation, { runId });
    }
    const planned = await this.ask('agent/goals', { title: 'Plan', agentName: 'planner', agentRole: 'Planner' });
    await this.send('goalTreeDecompose', { goalId: planned.goalId });
    await this.send('goalTreeCancel', { goalId: planned.goalId });
    const { goalId, runId } = await this.send('goalsCreate');
    this.known('goal', goalId);
    this.known('run', runId);
    await this.send('requestToolCallPost');
    await this.send('forkRunFork');
    await this.send('runTokensIssue');
    await this.ask('agent/tools/shell', { kind: 'client', description: 'Runs in the agent', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read' }, 'PUT');
    const { callId } = await this.call(runId, 'shell', {});
    await this.send('reportOutcomePost', { callId });
  }

  private async decisions() {
    await this.deletion();
    this.known('key', (await this.ask('api-keys', { name: 'Bea', kind: 'human', capabilities: ['approvals:decide'] })).id);
    for (const operation of ['actOnApprovalAnswer', 'actOnApprovalExtend', 'actOnApprovalEscalate', 'actOnApprovalDelegate']) await this.send(operation);
    for (const operation of ['decideApprovalsDecide', 'legacyApprovalsDecide']) {
      await this.deletion();
      await this.send(operation);
    }
    await this.ask('settings', { contentOs: { agentReview: true } }, 'PUT');
    const { runId: work } = await this.ask('agent/goals', { title: 'Change', agentName: 'tidy-bot', approvalPolicy: 'before_commit' });
    const { stagingId } = await this.call(work, 'updateItem', { collection: 'products', id: this.ids.get(id('item')), data: { title: 'Cosy' } });
    this.known('stg', stagingId);
    await this.send('vetoStagingPost');
    await this.deletion();
    const reviewer = await this.ask('agent/goals', { title: 'Review', agentName: 'checker', agentRole: 'FactChecker' });
    const own = this.ids.get(id('run'))!;
    this.known('run', reviewer.runId);
    await this.send('agentDecideDecide');
    this.known('run', own);
    await this.deletion();
    await this.send('approvalsDecide');
  }

  private async artifacts() {
    this.known('art', (await this.send('artifactsDraft')).id);
    await this.send('artifactsRevise');
    await this.send('artifactsEvaluate');
    const { approvalId } = await this.send('artifactsSubmit');
    await this.ask(`agent/approvals/${approvalId as string}/decide`, { decision: 'approved' });
    await this.send('artifactsPublish');
    await this.send('artifactsRollback');
    await this.send('generateAppGenerate');
  }

  private async people() {
    await this.send('notificationSettingsPutPreferences');
    await this.send('notificationSettingsSubscribe');
    await this.send('notificationSettingsPutChannels');
    this.known('sub', (await this.send('subscriptionsCreate')).id);
    await this.send('subscriptionsReplay');
    await this.ask('settings', { deployments: { targets: [{ name: 'shop', url: 'http://127.0.0.1:9' }] } }, 'PUT');
    await this.send('deploymentsTrigger');
  }

  private async workers() {
    await this.ask('agent/tools/render', { kind: 'worker', description: 'Renders', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', worker: { leaseMs: 60_000 } }, 'PUT');
    for (const operation of ['workerComplete', 'workerFail']) {
      const asked = this.call(this.ids.get(id('run'))!, 'render', {});
      this.known('lease', (await this.send('workerPoll')).leaseId);
      await this.send(operation);
      await asked;
    }
  }
}
