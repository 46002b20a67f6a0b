import { describe, expect, it } from '@jest/globals';
import { governance, TOOL_RISKS, type GovernanceEvent } from '@app/governance/contract';
import { specification } from '@app/kernel/testing';
import { removeOverride } from '../remove-override/remove-override.decide';
import { PutToolBody } from './put-tool.command';
import { putTool } from './put-tool.decide';

const given = specification(governance);
const site: GovernanceEvent = { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } };
const skill: GovernanceEvent = {
  type: 'ToolRegistered',
  data: { tool: { name: 'updateItem', kind: 'skill', description: 'Changes', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write', timeoutMs: 30_000, owner: 'core' } },
};
const BODY = { kind: 'http', description: 'Looks up', inputSchema: { type: 'object' }, requiredCapabilities: ['crm:read'], risk: 'read', http: { url: 'https://crm.example/look-up' } } as const;
const DEFINITION = { ...BODY, inputSchema: { type: 'object' }, requiredCapabilities: ['crm:read'], name: 'crm', timeoutMs: 30_000, owner: 'key_ada' };
const registered = (more: object = {}): GovernanceEvent => ({ type: 'ToolRegistered', data: { tool: { ...DEFINITION, ...more } } }) as GovernanceEvent;

type History = readonly GovernanceEvent[];
const when = (body: object, { name = 'crm', history = [] as History } = {}) => given(site, skill, ...history).when((state) => putTool(state, name, PutToolBody.parse(body), [], 'key_ada'));
const problems = (body: object, name = 'crm'): readonly string[] => {
  const state = [site, skill].reduce(governance.evolve, governance.initial);
  const decision = putTool(state, name, PutToolBody.parse(body), [], 'key_ada');
  if (decision.ok) return [];
  return ((decision.rejection.facts?.['errors'] ?? [{ pointer: decision.rejection.code }]) as { pointer: string }[]).map(({ pointer }) => pointer);
};

describe('Registering a tool', () => {
  it('records the whole of it, with the time limit and the owner filled in', () => {
    when(BODY).then({ governance: [registered()] });
    when({ ...BODY, owner: 'ops', timeoutMs: 5, enabled: false }).then({ governance: [registered({ owner: 'ops', timeoutMs: 5 }), { type: 'ToolDisabled', data: { name: 'crm' } }] });
  });

  it('again writes what differs, takes overrides away and switches the tool on', () => {
    when(BODY, { history: [registered()] }).then({ governance: [] });
    when({ ...BODY, risk: 'read', idempotent: true }, { history: [registered({ owner: 'ops' })] }).then({ governance: [registered({ owner: 'ops', idempotent: true })] });
    const changed: History = [registered(), { type: 'ToolOverridden', data: { name: 'crm', override: { timeoutMs: 9 } } }, { type: 'ToolDisabled', data: { name: 'crm' } }];
    when(BODY, { history: changed }).then({ governance: [{ type: 'ToolOverrideRemoved', data: { name: 'crm' } }] });
    when({ ...BODY, enabled: false }, { history: changed }).then({ governance: [{ type: 'ToolOverrideRemoved', data: { name: 'crm' } }, { type: 'ToolDisabled', data: { name: 'crm' } }] });
  });

  it('without a kind changes the governance of what is registered, and nothing that is not', () => {
    when({ risk: 'read', enabled: false }, { history: [registered()] }).then({ governance: [{ type: 'ToolOverridden', data: { name: 'crm', override: { risk: 'read' } } }, { type: 'ToolDisabled', data: { name: 'crm' } }] });
    when({ risk: 'read' }).thenRejected('FORBIDDEN');
    when({ irreversible: false }, { history: [registered()] }).thenRejected('VALIDATION_FAILED');
  });

  it('points at everything that is missing or does not belong to the kind', () => {
    expect(problems({ kind: 'http' })).toEqual(['/description', '/inputSchema', '/requiredCapabilities', '/risk', '/http/url']);
    expect(problems({ ...BODY, worker: { leaseMs: 5_000 }, mcp: { server: 's', tool: 't' } })).toEqual(['/worker', '/mcp']);
    expect(problems({ ...BODY, kind: 'client' })).toEqual(['/http']);
    expect(problems({ ...BODY, kind: 'mcp', http: undefined })).toEqual(['/mcp']);
    expect(problems({ ...BODY, kind: 'skill', http: undefined })).toEqual(['/kind']);
    expect(problems(BODY, 'no name')).toEqual(['']);
    for (const more of [{ kind: 'client' }, { kind: 'worker' }, { kind: 'worker', worker: { leaseMs: 5_000 } }, { kind: 'mcp', mcp: { server: 's', tool: 't' } }]) expect(problems({ ...BODY, http: undefined, ...more })).toEqual([]);
  });

  it('takes secrets by name only, and no header that is the server\'s own', () => {
    const http = (more: object) => problems({ ...BODY, http: { ...BODY.http, ...more } });
    expect(http({ auth: 'secret://crm', headers: { 'X-Api-Key': 'secret://crm', 'X-Auth': 'Token secret://crm', Cookie: 'sid=secret://crm', 'X-Region': 'eu-1', Accept: 'application/vnd.crm+json' } })).toEqual([]);
    expect(http({ headers: { Authorization: 'Bearer abcdef0123456789abcdef', 'X-Api-Key': 'k3y-0123456789', Cookie: 'sid=abc123def456' } })).toEqual(['/http/headers/Authorization', '/http/headers/X-Api-Key', '/http/headers/Cookie']);
    expect(http({ headers: { Host: 'x', 'Content-Length': '1', 'Idempotency-Key': 'mine', 'X-Harness-Signature': 'v1=00', 'Transfer-Encoding': 'chunked' } })).toEqual(['Host', 'Content-Length', 'Idempotency-Key', 'X-Harness-Signature', 'Transfer-Encoding'].map((name) => `/http/headers/${name}`));
    expect(http({ headers: { 'X-Split': 'a\r\nX-Other: b' } })).toEqual(['/http/headers/X-Split']);
    expect(http({ auth: 'secret://crm', headers: { Authorization: 'Basic secret://crm' } })).toEqual(['/http/headers/Authorization']);
    for (const url of ['https://ada:s3cret@crm.example/', 'https://secret://crm/', 'https://secret://crm', 'https://crm.example/?api_key=k3y0123456789abcdef']) expect(http({ url })).toEqual(['/http/url']);
    for (const url of ['https://hooks.example/services/secret://path', 'https://crm.example/?api_key=secret://crm']) expect(http({ url })).toEqual([]);
    for (const wrong of [{ url: 'file:///etc/passwd' }, { url: 'ftp://crm.example/' }, { url: 'crm.example' }, { auth: 'the key itself' }, { method: 'TRACE' }, { headers: { 'X Y': 'a' } }, { more: 1 }]) {
      expect(PutToolBody.safeParse({ ...BODY, http: { ...BODY.http, ...wrong } }).success).toBe(false);
    }
  });

  it('under the name of a skill, or one that looks like it, is refused', () => {
    when(BODY, { name: 'updateItem' }).thenRejected('RESERVED_NAME');
    when(BODY, { name: 'UpdateITEM' }).thenRejected('RESERVED_NAME');
    when({ kind: 'skill', risk: 'create' }, { name: 'updateItem' }).then({ governance: [{ type: 'ToolOverridden', data: { name: 'updateItem', override: { risk: 'create' } } }] });
    when({ http: BODY.http }, { name: 'updateItem' }).thenRejected('VALIDATION_FAILED');
  });

  it('[TOOL-011] makes a tool that does more than read outside of this server irreversible, unless it is marked otherwise', () => {
    const kinds = [BODY, { ...BODY, kind: 'mcp', http: undefined, mcp: { server: 's', tool: 't' } }, { ...BODY, kind: 'worker', http: undefined }, { ...BODY, kind: 'client', http: undefined }];
    for (const body of kinds) {
      for (const risk of TOOL_RISKS) {
        for (const irreversible of [undefined, true, false]) {
          const parsed = PutToolBody.parse(JSON.parse(JSON.stringify({ ...body, risk, irreversible })));
          const decision = putTool([site, skill].reduce(governance.evolve, governance.initial), 'crm', parsed, [], 'key_ada');
          const [event] = decision.ok ? decision.events.governance : [];
          expect(event).toMatchObject({ type: 'ToolRegistered' });
          expect((event as { data: { tool: object } }).data.tool).toHaveProperty('name', 'crm');
          const marked = (event as { data: { tool: { irreversible?: boolean } } }).data.tool.irreversible;
          expect(marked).toBe(irreversible ?? (risk === 'read' ? undefined : true));
        }
      }
    }
    // A tool that was registered as one that reads and is overridden to do more is one that sends, too.
    const override = { type: 'ToolOverridden', data: { name: 'crm', override: { risk: 'write' } } } as const;
    when({ risk: 'write' }, { history: [registered()] }).then({ governance: [registered({ irreversible: true }), override] });
    when({ risk: 'write' }, { history: [registered({ irreversible: false })] }).then({ governance: [override] });
    const mcp = registered({ kind: 'mcp', http: undefined, mcp: { server: 's', tool: 't' } });
    when({ risk: 'write' }, { history: [mcp] }).then({ governance: [override] });
  });
});

describe('Removing', () => {
  const remove = (name: string, ...history: History) => given(site, skill, ...history).when((state) => removeOverride(state, name));

  it('a tool of the site\'s own removes it, and a skill falls back to its default', () => {
    remove('crm', registered(), { type: 'ToolDisabled', data: { name: 'crm' } }).then({ governance: [{ type: 'ToolRemoved', data: { name: 'crm' } }] });
    remove('updateItem', { type: 'ToolDisabled', data: { name: 'updateItem' } }).then({ governance: [{ type: 'ToolOverrideRemoved', data: { name: 'updateItem' } }] });
    remove('updateItem').then({ governance: [] });
    remove('crm').thenRejected('FORBIDDEN');
    remove('crm', registered(), { type: 'ToolRemoved', data: { name: 'crm' } }).thenRejected('FORBIDDEN');
  });
});
