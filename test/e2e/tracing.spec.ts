import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { skill } from '@app/skills';
import { z } from 'zod';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';
import { collector, type SentSpan } from './traced-spans';

const SECRET = 'what-the-tool-was-given';
const noted = skill('note', {
  description: 'Notes a word.', input: z.strictObject({ word: z.string() }), capability: 'items:update', risk: 'write',
  run: ({ word }) => Promise.resolve({ ok: true as const, data: { word }, position: 0n }),
});
const failing = skill('breakThings', {
  description: 'Always fails.', input: z.strictObject({ word: z.string() }), capability: 'items:update', risk: 'write', run: ({ word }) => Promise.reject(new RangeError(`No ${word}`)),
});

describe('The traces of a server', () => {
  let sink: Awaited<ReturnType<typeof collector>>;
  let server: TestServer;
  let agent: Api;
  let runId: string;

  beforeAll(async () => {
    sink = await collector();
    server = await testServer({ OTEL_EXPORTER_OTLP_ENDPOINT: sink.url, OTEL_SERVICE_NAME: 'harness-under-test' }, [noted, failing]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:update'] });
    runId = (await agent('POST', 'agent/goals', { title: 'Trace me', agentName: 'robot' })).body.data.runId as string;
  });
  afterAll(async () => {
    await server.close();
    await sink.close();
  });

  const request = async (tool: string, traceId: string, callId: string) => {
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    return (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: { word: SECRET }, callId }, { traceparent })).body.data as Body;
  };
  /** Complete once the read models have taken in what the call appended last. */
  const traceOf = (traceId: string, isWhole: (spans: readonly SentSpan[]) => boolean) =>
    eventually(() => Promise.resolve(sink.spans.filter((span) => span.traceId === traceId)), isWhole);

  it('[OBS-031] [OBS-035] join request, command, decision, handler and read models through the traceparent that the log holds', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    expect((await request('note', traceId, 'call_traced')).status).toBe('executed');
    const spans = await traceOf(traceId, (sent) => sent.filter(({ name }) => name === 'project activity' || name === 'project runs').length >= 1 && sent.some(({ kind }) => kind === 2));
    expect([...sink.paths]).toEqual(['POST /v1/traces']);
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(['harness-under-test']));
    const one = (name: string) => spans.find((span) => span.name === name)!;
    const http = one('POST /api/v1/agent/runs/:runId/tool-calls');
    const command = one('command RequestToolCall');
    const decisions = spans.filter(({ name }) => name === 'decide run');
    const handler = one('execute_tool note');
    expect([http.kind, http.parentSpanId, http.attributes]).toMatchObject([2, '00f067aa0ba902b7', { 'http.request.method': 'POST', 'http.response.status_code': 200 }]);
    expect(command.parentSpanId).toBe(http.spanId);
    expect(decisions.map(({ parentSpanId }) => parentSpanId)).toEqual([command.spanId, command.spanId]);
    expect(handler.parentSpanId).toBe(command.spanId);

    // What the log holds names the very decision that appended it, and the read model continues from there.
    const events = (await server.log()).filter((event: Body) => event.stream_id === `run-${runId}` && event.data.callId === 'call_traced');
    expect(events.map(({ type, metadata }: Body) => [type as string, metadata.traceparent as string])).toEqual([
      ['ToolCallAuthorised', `00-${traceId}-${decisions[0]!.spanId}-01`], ['ToolCallSucceeded', `00-${traceId}-${decisions[1]!.spanId}-01`],
    ]);
    const projected = await traceOf(traceId, (sent) => sent.some(({ name, parentSpanId }) => name === 'project runs' && parentSpanId === decisions[0]!.spanId));
    expect(projected.find(({ name, parentSpanId }) => name === 'project runs' && parentSpanId === decisions[0]!.spanId)!.attributes).toMatchObject({
      'harness.projection': 'runs', 'harness.events': 1, 'harness.position': String(events[0]!.position),
    });
  });

  it('[OBS-032] name a tool call by the GenAI conventions, a failed one too, and never tell what it was given or answered', async () => {
    const traceId = 'aaaabbbbccccddddeeeeffff00001111';
    expect((await request('breakThings', traceId, 'call_broken')).status).toBe('failed');
    await request('note', traceId, 'call_fine');
    const spans = await traceOf(traceId, (sent) => sent.filter(({ name }) => name.startsWith('execute_tool ')).length === 2 && sent.filter(({ kind }) => kind === 2).length === 2);
    const tool = (name: string) => spans.find((span) => span.name === `execute_tool ${name}`)!;
    const { goalId } = (await agent('GET', `agent/runs/${runId}`)).body.data as { goalId: string };
    expect(tool('note').attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'note', 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': 'call_fine',
      'gen_ai.conversation.id': goalId, 'harness.run.id': runId,
    });
    expect(tool('breakThings')).toMatchObject({ status: { code: 2 }, attributes: { 'gen_ai.tool.name': 'breakThings', 'error.type': 'RangeError' } });
    expect(sink.bodies.join()).not.toContain(SECRET);
  });

  it('leave probes out, and begin a trace where the caller brought none', async () => {
    const before = sink.spans.length;
    await agent('GET', '/health/live');
    await agent('GET', `agent/runs/${runId}`);
    const sent = await eventually(() => Promise.resolve(sink.spans.slice(before)), (spans) => spans.some(({ name }) => name === 'GET /api/v1/agent/runs/:runId'));
    const root = sent.find(({ name }) => name === 'GET /api/v1/agent/runs/:runId')!;
    expect(root.parentSpanId ?? '').toBe('');
    expect(sent.find(({ name, traceId }) => name === 'query GetRun' && traceId === root.traceId)!.parentSpanId).toBe(root.spanId);
    expect(sink.spans.map(({ name }) => name).join()).not.toContain('health');
  });
});
