import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { jobs } from './jobs';
import { recordingRoutes } from './routes';
import { testServer, type Api, type Body } from './server';

describe('The token of a run', () => {
  const { server, agent, reviewer, eventsOf, open } = jobs();
  const issue = async (runId: string, body: Body = {}, by: Api = agent()) => by('POST', `agent/runs/${runId}/token`, body);
  const bearer = async (runId: string, body: Body = {}) => server().as((await issue(runId, body)).body.data.token as string);

  it('[AUTH-022] is a short-lived EdDSA JWT whose audience is the run', async () => {
    const { runId } = await open();
    const { status, body: { data } } = await issue(runId, { ttlSeconds: 60 });
    expect([status, data.runId]).toEqual([201, runId]);
    expect(decodeProtectedHeader(data.token as string)).toEqual({ alg: 'EdDSA', typ: 'JWT' });
    const claims = decodeJwt(data.token as string);
    expect(claims).toEqual({ iss: 'agent-harness', sub: agent().id, aud: runId, site: 'site_demo', iat: expect.any(Number), exp: claims.iat! + 60, jti: expect.any(String) });
    expect(data.expiresAt).toBe(new Date(claims.exp! * 1000).toISOString());
    expect((await issue(runId, { ttlSeconds: 3_601 })).status).toBe(422);
    expect((await issue(runId, {}, reviewer())).status).toBe(403);
    expect((await issue(runId, {}, server().admin)).status).toBe(403);
    await agent()('POST', `agent/runs/${runId}/complete`, {});
    expect(await issue(runId)).toMatchObject({ status: 409, body: { code: 'RUN_TERMINAL' } });
  });

  it('[AUTH-022] opens the routes of its run', async () => {
    const { runId } = await open();
    const token = await bearer(runId);
    const call = await token('POST', `agent/runs/${runId}/tool-calls`, { tool: 'note', arguments: { word: 'token' }, callId: 'one' });
    expect(call.body.data).toMatchObject({ status: 'executed', result: { word: 'token' } });
    expect((await token('GET', `agent/runs/${runId}`)).body.data.toolCalls).toHaveLength(1);
    expect((await token('GET', `agent/runs/${runId}/events`)).status).toBe(200);
    expect((await token('POST', `agent/runs/${runId}/complete`, { result: 1 })).body.data.status).toBe('succeeded');
    const stream = await fetch(`${server().url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${token.key}` } });
    expect(stream.status).toBe(200);
    await stream.body!.cancel();
    const failed = await open();
    expect((await (await bearer(failed.runId))('POST', `agent/runs/${failed.runId}/fail`, { reason: 'No' })).body.data.status).toBe('failed');
  });

  it('[AUTH-022] opens no other run and no other route, whatever its owner may do', async () => {
    const { runId, goalId } = await open();
    const other = await open();
    const token = await bearer(runId);
    for (const [method, path, body] of [
      ['GET', `agent/runs/${other.runId}`], ['POST', `agent/runs/${other.runId}/tool-calls`, { tool: 'note', arguments: { word: 'stolen' } }], ['POST', `agent/runs/${other.runId}/complete`, {}],
      ['GET', 'agent/runs'], ['GET', `agent/goals/${goalId}`], ['POST', 'agent/goals', { title: 'More', agentName: 'robot' }], ['POST', `agent/runs/${runId}/token`, {}],
      ['POST', `agent/runs/${runId}/cancel`, {}], ['POST', `agent/runs/${runId}/retry`], ['GET', 'items/products'], ['GET', 'agent/approvals'],
    ] as const) {
      expect([path, await token(method, path, body)]).toMatchObject([path, { status: 403, body: { code: 'FORBIDDEN', detail: expect.stringContaining('token of a run') } }]);
    }
    expect((await fetch(`${server().url}/metrics`, { headers: { authorization: `Bearer ${token.key}`, 'x-forwarded-for': '1.1.1.1' } })).status).not.toBe(500);
  });

  it('[AUTH-022] is refused when it was changed, when another key signed it, and when the key of its owner was revoked', async () => {
    const { runId } = await open();
    const token = await bearer(runId);
    const [head, claims, signature] = token.key.split('.') as [string, string, string];
    const forged = (changes: Body) => [head, Buffer.from(JSON.stringify({ ...(decodeJwt(token.key) as Body), ...changes })).toString('base64url'), signature].join('.');
    const own = await new SignJWT({ ...(decodeJwt(token.key) as Body) }).setProtectedHeader({ alg: 'EdDSA' }).sign(generateKeyPairSync('ed25519').privateKey);
    const none = [Buffer.from('{"alg":"none"}').toString('base64url'), claims, ''].join('.');
    for (const wrong of [forged({ aud: 'run_other' }), forged({ exp: 4_000_000_000 }), forged({ sub: reviewer().id }), own, none, `${head}.${claims}.AAAA`, 'a.b.c']) {
      expect((await server().as(wrong)('GET', `agent/runs/${runId}`)).status).toBe(401);
    }
    expect((await token('GET', `agent/runs/${runId}`)).status).toBe(200);
    const key = await server().newKey({ name: 'gone', capabilities: ['items:update'] });
    const { runId: theirs } = (await key('POST', 'agent/goals', { title: 'x', agentName: 'robot' })).body.data;
    const last = server().as((await issue(theirs, {}, key)).body.data.token as string);
    expect((await last('GET', `agent/runs/${theirs}`)).status).toBe(200);
    await server().admin('DELETE', `api-keys/${key.id}`);
    expect((await last('GET', `agent/runs/${theirs}`)).status).toBe(401);
  });

  it('[AUTH-023] keeps who the agent is, as proven, apart from the name that it gives itself', async () => {
    const { runId } = await open({ agentName: 'The admin' });
    const token = await bearer(runId);
    await token('POST', `agent/runs/${runId}/tool-calls`, { tool: 'note', arguments: { word: 'name' } });
    const events = await eventsOf(runId);
    expect(events.find(({ type }) => type === 'RunStarted')!.data.agentName).toBe('The admin');
    expect(events.find(({ type }) => type === 'EnvelopeSealed')!.data.envelope).toMatchObject({ agentName: 'The admin', principalId: agent().id });
    for (const { metadata } of events) expect(metadata.actor).toEqual({ kind: 'agent', id: agent().id });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ agentName: 'The admin', envelope: { principalId: agent().id } });
  });

  it('is shown once, and not kept for a repeat', async () => {
    const { runId } = await open();
    const headers = { 'idempotency-key': 'token-once' };
    const first = (await agent()('POST', `agent/runs/${runId}/token`, {}, headers)).body.data;
    const again = (await agent()('POST', `agent/runs/${runId}/token`, {}, headers)).body.data;
    expect([first.token, again.token]).toEqual([expect.any(String), null]);
  });

  it('is taken by the routes that say so in the reference, and by all others of the API refused', async () => {
    const [whole, routes] = await recordingRoutes(() => testServer());
    try {
      const key = await whole.newKey({ capabilities: ['*'] });
      const { runId } = (await key('POST', 'agent/goals', { title: 'x', agentName: 'robot' })).body.data;
      const token = whole.as((await key('POST', `agent/runs/${runId}/token`, {})).body.data.token as string);
      const { paths } = (await whole.admin('GET', '/openapi.json')).body;
      const taken: string[] = [];
      for (const { method, path } of routes.filter(({ path: of }) => of.startsWith('/api/v1/') && !['/api/v1/agent/runs/:runId/stream', '/api/v1/decisions/:token'].includes(of))) {
        const { status, text } = await token(method, path.replace(/:(\w+)/g, (_all, name: string) => (name === 'runId' ? (runId as string) : 'x')), method === 'GET' ? undefined : { broken: true });
        const documented = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]?.['x-run-token'] === true;
        if (!(status === 403 && text.includes('token of a run'))) taken.push(`${method} ${path}`);
        expect([method, path, taken.includes(`${method} ${path}`)]).toEqual([method, path, documented]);
      }
      expect(taken.length).toBeGreaterThan(4);
    } finally {
      await whole.close();
    }
  });
});
