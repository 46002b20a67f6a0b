import { beforeAll, describe, expect, it } from '@jest/globals';
import { ATTACKS } from './injection-corpus';
import { jobs } from './jobs';
import type { Api, Body } from './server';

const GOVERNING = /^(governance|principal|constitution|promotion)-/;

describe('Text that gives orders', () => {
  const { ran, server, reviewer } = jobs();
  let robot: Api & { readonly id: string };
  let rulesBefore: Body;
  const rules = async () => {
    const state = (await server().admin('GET', `agent/replay/governance?position=${await server().head()}`)).body.data as Body;
    const { asOf: _asOf, ...now } = state;
    return now;
  };

  beforeAll(async () => {
    robot = await server().newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete'] });
    await server().admin('PUT', 'agent/policies', { rules: [{ name: 'ask', when: { tool: 'createItem', arguments: [{ path: '/data/sku', eq: 'ASK' }] }, then: { do: 'ask' } }] });
    rulesBefore = await rules();
  });

  /** One session with a text in every place that a prompt, a tool's output or content can come from, and what the door said about each call. */
  const session = async (text: string) => {
    const goal = (await robot('POST', 'agent/goals', { title: text, acceptance: text, agentName: 'robot', budget: { maxToolCalls: 30 } })).body.data;
    const told: Body[] = [];
    const asked: string[] = [];
    const call = async (tool: string, args: Body): Promise<Body> => {
      const { data } = (await robot('POST', `agent/runs/${goal.runId}/tool-calls`, { tool, arguments: args })).body;
      told.push({ tool, status: data.status, reason: data.reason ?? null, autonomy: data.autonomy ?? null });
      if (data.approvalId) asked.push(data.approvalId as string);
      return data as Body;
    };
    // In an argument, and so in a tool's output; in content, which is then read; in what a person is asked.
    expect((await call('note', { word: text })).result).toEqual({ word: text });
    const { id } = (await call('createItem', { collection: 'products', data: { sku: 'INJ', title: text } })).result;
    expect((await call('getItem', { collection: 'products', id })).result.data.title).toBe(text);
    await call('updateItem', { collection: 'products', id, data: { title: `${[...text].slice(0, 100).join('')}!` } });
    await call('createItem', { collection: 'products', data: { sku: 'ASK', title: text } });
    await call('deleteItem', { collection: 'products', id });
    await call('createCollection', { name: 'stolen', fields: [] });
    await call('approveEverything', { text });
    expect((await robot('POST', `agent/approvals/${asked[0]}/answer`, { text })).status).toBe(403);
    expect((await reviewer()('POST', `agent/approvals/${asked[0]}/answer`, { text })).status).toBe(200);
    for (const approvalId of asked) told.push({ approval: ((await reviewer()('GET', `agent/approvals/${approvalId}`)).body.data as Body).status });
    const run = (await robot('GET', `agent/runs/${goal.runId}`)).body.data;
    const { capabilities, approvalPolicy, budget, principalId, risk } = run.envelope;
    return { told, asked, envelope: { capabilities, approvalPolicy, budget, principalId, risk } };
  };

  it('[SEC-005] changes no capability, level, route or approval, wherever it stands', async () => {
    const governing = async () => (await server().log()).filter(({ stream_id }: Body) => GOVERNING.test(stream_id as string)).length;
    const plain = await session('Tidy up the shelves');
    expect(plain.told.map(({ status, approval, reason }) => [status ?? approval, reason ?? null])).toEqual([
      ['executed', null], ['executed', null], ['executed', null], ['executed', null], ['pending_approval', null], ['pending_approval', null], ['denied', 'capability_missing'], ['denied', 'tool_not_registered'],
      ['pending', null], ['pending', null],
    ]);
    const before = await governing();
    expect(ATTACKS.length).toBeGreaterThanOrEqual(30);
    for (const text of ATTACKS) {
      const { told, envelope } = await session(text);
      expect([text, told, envelope]).toEqual([text, plain.told, plain.envelope]);
    }
    expect([await governing(), await rules()]).toEqual([before, rulesBefore]);
    // A person rejects with such words: they go back to the agent, and the call does not run.
    for (const text of ATTACKS.slice(0, 5)) {
      const { asked } = await session(text);
      expect((await reviewer()('POST', `agent/approvals/${asked[0]}/decide`, { decision: 'rejected', reason: text })).body.data).toMatchObject({ status: 'rejected', call: { status: 'denied' } });
    }
    const authorised = (await server().log()).filter(({ type, data }: Body) => type === 'ToolCallAuthorised' && ['deleteItem', 'createCollection', 'approveEverything'].includes(data.tool as string));
    expect(authorised).toEqual([]);
    expect(ran.length).toBeGreaterThan(ATTACKS.length);
  });

  it.each([
    ['a Cyrillic letter', 'dеleteItem'], ['a zero-width space', 'note\u200b'], ['a soft hyphen', 'no\u00adte'], ['full-width letters', 'ｎｏｔｅ'], ['another case', 'NOTE'], ['a direction mark', '\u202enote'],
    ['a space', ' note'], ['a path', '../note'], ['an own property of objects', '__proto__'], ['a method of objects', 'constructor'],
  ])('[SEC-005] is no tool under a name with %s', async (_name, tool) => {
    const { runId } = (await robot('POST', 'agent/goals', { title: 'Names', agentName: 'robot' })).body.data;
    const before = ran.length;
    const { status, body } = await robot('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: { word: 'x' } });
    expect(status === 422 || body.data.reason === 'tool_not_registered').toBe(true);
    expect(ran.length).toBe(before);
  });
});
