import type { ReferenceTexts } from '@app/http';
import { AT, id } from './ids';

type Operations = ReferenceTexts['operations'];

const AT_NIGHT = { name: 'ask at night', reason: 'Nobody watches', when: { risk: 'write', time: { from: '23:00', to: '05:00' } }, then: { do: 'ask' }, mode: 'enforce' } as const;
const WEATHER_TOOL = {
  kind: 'http', description: 'Tells the weather of a town', inputSchema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  requiredCapabilities: ['weather:read'], risk: 'read', idempotent: true, timeoutMs: 5_000, http: { url: 'https://weather.shop.example/now', method: 'POST' },
} as const;
const { http: _target, ...WEATHER } = { ...WEATHER_TOOL, name: 'weather', stageable: false, owner: id('key') };
const TITLES = { name: 'Titles', collection: 'products', rules: [{ type: 'field_constraint', field: 'title', minLength: 3, maxLength: 80 }], schedule: '0 3 * * *' } as const;
const UPKEEP = { name: 'Upkeep', trigger: { on: 'cron', expression: '0 3 * * *', tz: 'Europe/Berlin' }, operations: [{ do: 'trust-promote-check' }], capabilities: ['autonomy:write'] } as const;
const EVALUATORS = [{ id: 'title', type: 'rule', rule: 'required', field: 'title' }, { id: 'short', type: 'rule', rule: 'max_length', field: 'title', value: 80, severity: 'warning' }] as const;

/** The rules of a site and how people change them. */
export const rules: Operations = {
  settingsGet: { summary: 'Shows the settings and flags of the site' },
  settingsPut: { summary: 'Changes settings; what is not named stays', body: { vetoWindowMs: 300_000, contentOs: { vetoWindow: true }, outbound: { allowHosts: ['weather.shop.example'] } } },
  rolesList: { summary: 'Lists roles by name' },
  rolesGet: { summary: 'Shows a role' },
  rolesDefine: { summary: 'Defines a role', body: { name: 'Clerk', description: 'Keeps shelves in order', capabilities: ['items:read', 'items:update'] } },
  rolesChange: { summary: 'Changes a role', body: { capabilities: ['items:read'] } },
  rolesDisable: { summary: 'Takes a role out of use' },
  policiesGet: { summary: 'Shows the argument policies', answer: { rules: [AT_NIGHT] } },
  policiesPut: { summary: 'Replaces the argument policies', body: { rules: [AT_NIGHT] }, answer: { rules: [AT_NIGHT], warnings: [] } },
  policiesTest: { summary: 'Tries policies on cases; writes nothing', body: { rules: [AT_NIGHT], cases: [{ tool: 'updateItem', at: '2030-01-31T01:00:00Z', expect: 'ask' }] } },
  toolsList: { summary: 'Lists tools by name' },
  toolsGet: { summary: 'Shows a tool with its default and what the site changed' },
  toolsPut: { summary: 'Registers a tool, or changes how a skill is governed', body: WEATHER_TOOL, answer: WEATHER },
  toolsDryRun: { summary: 'Asks the door what it would say; nothing runs', body: { role: 'Writer', arguments: { collection: 'products', id: id('item'), data: { title: 'Teapot' } } } },
  toolsRemove: { summary: 'Removes a tool, or what the site changed about a skill' },
  mcpImportImportMcp: { summary: 'Imports the tools of an MCP server', body: { server: 'docs', transport: { type: 'http', url: 'https://mcp.shop.example/mcp' }, defaults: { risk: 'read', requiredCapabilities: ['docs:read'] } } },
  constitutionsDraft: { summary: 'Drafts a constitution', body: { evaluators: EVALUATORS } },
  constitutionsList: { summary: 'Lists constitutions, newest first' },
  constitutionsGet: { summary: 'Shows a constitution' },
  constitutionsDryRun: { summary: 'Tries a constitution on live content', body: { collections: ['products'] } },
  constitutionsBacktest: { summary: 'Tries a constitution on content that was written', body: { from: '1', to: '4711' } },
  constitutionsActivate: { summary: 'Puts a constitution in force' },
  intentsList: { summary: 'Lists intents' },
  intentsDeclare: { summary: 'Declares what shall stay true of a collection', body: TITLES },
  intentsCompile: { summary: 'Turns a description into rules; writes nothing', body: { description: 'Every title has three letters at least', collection: 'products' } },
  intentsGet: { summary: 'Shows an intent' },
  intentsChange: { summary: 'Changes an intent', body: { name: 'Short titles', budget: { maxGoalsPerCycle: 3 } } },
  intentsDelete: { summary: 'Deletes an intent with its open drifts' },
  intentsPause: { summary: 'Pauses an intent', body: { reason: 'Stocktaking' }, answer: { status: 'paused' } },
  intentsResume: { summary: 'Resumes an intent' },
  intentsScan: { summary: 'Looks for drift now' },
  intentsDrifts: { summary: 'Lists drifts of an intent' },
  flowsList: { summary: 'Lists flows' },
  flowsDefine: { summary: 'Defines a flow', body: UPKEEP },
  flowsGet: { summary: 'Shows a flow' },
  flowsChange: { summary: 'Changes a flow', body: { name: 'Daily upkeep', enabled: false } },
  flowsRemove: { summary: 'Deletes a flow' },
  flowsRun: { summary: 'Runs a flow now' },
  backtestRun: { summary: 'Tries other rules on recorded calls; writes nothing', body: { candidate: { grants: [{ agentRole: 'Writer', capability: 'items:update', level: 2, expiresAt: AT }] }, from: '1' } },
};
