import { describe, expect, it } from '@jest/globals';
import { credentialFaults } from './plain-credentials.policy';
import type { McpTransport } from './transport.schema';

const http = (more: Partial<Extract<McpTransport, { type: 'http' }>>): McpTransport => ({ type: 'http', url: 'https://docs.example/mcp', ...more });
const stdio = (more: Partial<Extract<McpTransport, { type: 'stdio' }>>): McpTransport => ({ type: 'stdio', command: 'docs-server', ...more });

describe('A transport', () => {
  it.each<McpTransport>([
    http({}), http({ headers: { accept: 'text/plain', 'x-team': 'blue' } }), http({ headers: { authorization: 'Bearer secret://docs' } }), http({ headers: { 'x-api-key': 'secret://docs' } }),
    stdio({ args: ['--root', '/srv/docs'], env: { LOG: 'debug', GITHUB_TOKEN: 'secret://gh', HOME: '/srv' } }),
  ])('may name its secrets: %j', (transport) => {
    expect(credentialFaults(transport)).toEqual([]);
  });

  it.each<readonly [McpTransport, string]>([
    [http({ headers: { authorization: 'Bearer abcdef0123456789abcdef' } }), '/transport/headers/authorization'],
    [http({ headers: { authorization: 'hunter2hunter2' } }), '/transport/headers/authorization'],
    [http({ headers: { 'x-api-key': 'abc123abc123' } }), '/transport/headers/x-api-key'],
    [http({ headers: { 'x-api-key': 'abc123 secret://other' } }), '/transport/headers/x-api-key'],
    [http({ headers: { note: 'sk-abcdefghijklmnopqrstuvwx' } }), '/transport/headers/note'],
    [http({ headers: { cookie: 'session=abcdef012345' } }), '/transport/headers/cookie'],
    [http({ url: 'https://bea:pa55word@docs.example/mcp' }), '/transport/url'],
    [http({ url: 'https://docs.example/mcp?api_key=abc123abc123' }), '/transport/url'],
    [http({ url: 'https://docs.example/secret://docs' }), '/transport/url'],
    [stdio({ env: { GITHUB_TOKEN: 'ghp_abcdefghijklmnop0123' } }), '/transport/env/GITHUB_TOKEN'],
    [stdio({ env: { DB_PASSWORD: 'hunter2hunter2' } }), '/transport/env/DB_PASSWORD'],
    [stdio({ args: ['--token=ghp_abcdefghijklmnop0123'] }), '/transport/args/0'],
    [stdio({ args: ['--token', 'secret://gh'] }), '/transport/args/1'],
  ])('never holds them: %j', (transport, pointer) => {
    expect(credentialFaults(transport).map((fault) => fault.pointer)).toContain(pointer);
  });
});
