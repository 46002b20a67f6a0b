import { describe, expect, it } from '@jest/globals';
import { Parser } from '@asyncapi/parser';
import { catalogue } from '../apps/gateway/src/composition';
import { NATS_COMMANDS } from '../apps/gateway/src/nats-reference';
import { asyncApi } from '@app/nats';

describe('The AsyncAPI document', () => {
  it('[NATS-008] is of version 3, made from the event types, and parses without errors', async () => {
    const made = asyncApi({ catalogue, commands: NATS_COMMANDS, version: '1' });
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(made));
    expect(diagnostics.filter(({ severity }) => severity === 0).map(({ message, path }) => `${path.join('/')}: ${message}`)).toEqual([]);
    expect(document?.version()).toMatch(/^3\./);
    const types = catalogue.all().map(({ type }) => type);
    expect(Object.keys((made['components'] as { messages: object }).messages)).toEqual(expect.arrayContaining(types));
    const addresses = document!.allChannels().all().map((channel) => channel.address());
    for (const { category } of catalogue.all()) expect(addresses).toContain(`harness.{siteId}.${category}.{eventType}`);
    for (const { name } of NATS_COMMANDS) expect(addresses).toContain(`harness.rpc.${name}`);
  });
});
