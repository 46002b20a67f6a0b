import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { InvalidEnvironment, readConfig } from './config';

const LOAD = { thresholds: { eventLoopDelayMs: 200, projectionLagMs: 30_000, databaseLatencyMs: 2_000 }, holdDownMs: 60_000, everyMs: 5_000 };
const DEFAULTS = {
  reach: { publicUrl: 'http://127.0.0.1:4600', mailFrom: 'Agent Harness <harness@localhost>' },
  port: 4600, host: '127.0.0.1', dataDir: resolve('.harness'), roles: ['gateway', 'worker'], databaseUrl: undefined, bootstrapKey: undefined, mcpStdio: false, seed: 'demo', queue: 'on', logLevel: 'log', corsOrigins: [], load: LOAD, promotionCheck: '0 3 * * *', heartbeatExpiresMs: 10_000,
};
const OBSERVED = ['HARNESS_METRICS_PORT', 'HARNESS_METRICS_TOKEN', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME', 'OTEL_TRACES_SAMPLER_ARG'];
const refusal = (environment: Record<string, string>): string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error;
    return error.message.split('\n');
  }
};

describe('The environment', () => {
  it('may be empty', () => {
    expect(readConfig({})).toEqual(DEFAULTS);
  });

  it('counts an empty variable as unset, as a shell or a container file leaves it', () => {
    const names = ['PORT', 'HOST', 'HARNESS_DATA_DIR', 'HARNESS_ROLES', 'DATABASE_URL', 'HARNESS_BOOTSTRAP_KEY', 'HARNESS_MASTER_KEY', 'HARNESS_PREVIOUS_MASTER_KEY', 'HARNESS_MCP_STDIO', 'HARNESS_OIDC_ISSUER', 'HARNESS_OIDC_AUDIENCE', 'HARNESS_CORS_ORIGINS', 'HARNESS_SEED', 'HARNESS_QUEUE', 'LOG_LEVEL', ...OBSERVED];
    expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(DEFAULTS);
  });

  it('sets everything', () => {
    const environment = {
      PORT: '0', HOST: '::1', HARNESS_DATA_DIR: '/var/lib/harness', HARNESS_ROLES: 'worker', DATABASE_URL: 'postgresql://db/harness', HARNESS_BOOTSTRAP_KEY: 'hk_12345678',
      HARNESS_MCP_STDIO: 'on', HARNESS_SEED: 'none', HARNESS_QUEUE: 'off', HARNESS_CORS_ORIGINS: 'https://desk.example.org, http://localhost:3000', LOG_LEVEL: 'debug', UNKNOWN: 'is left alone',
    };
    expect(readConfig(environment)).toEqual({
      reach: { publicUrl: 'http://[::1]:0', mailFrom: 'Agent Harness <harness@localhost>' }, port: 0, host: '::1', dataDir: '/var/lib/harness', roles: ['worker'], databaseUrl: 'postgresql://db/harness', bootstrapKey: 'hk_12345678', mcpStdio: true, seed: 'none', queue: 'off', corsOrigins: ['https://desk.example.org', 'http://localhost:3000'], logLevel: 'debug', load: LOAD, promotionCheck: '0 3 * * *', heartbeatExpiresMs: 10_000,
    });
  });

  it('sets the load from which on work waits, and when trust is looked at', () => {
    const environment = {
      HARNESS_BACKPRESSURE_EVENT_LOOP_MS: '250', HARNESS_BACKPRESSURE_PROJECTION_LAG_MS: '60000', HARNESS_BACKPRESSURE_DATABASE_MS: '0.5', HARNESS_BACKPRESSURE_HOLD_DOWN_MS: '1000',
      HARNESS_LOAD_SAMPLE_MS: '100', HARNESS_PROMOTION_CHECK_CRON: '*/5 * * * *',
    };
    expect(readConfig(environment)).toMatchObject({
      load: { thresholds: { eventLoopDelayMs: 250, projectionLagMs: 60_000, databaseLatencyMs: 0.5 }, holdDownMs: 1_000, everyMs: 100 }, promotionCheck: '*/5 * * * *',
    });
    expect(refusal({ HARNESS_LOAD_SAMPLE_MS: '1', HARNESS_BACKPRESSURE_DATABASE_MS: 'slow', HARNESS_PROMOTION_CHECK_CRON: '0 0 30 2 *' }).slice(1).toSorted()).toEqual([
      '  HARNESS_BACKPRESSURE_DATABASE_MS: Milliseconds', '  HARNESS_LOAD_SAMPLE_MS: At least 10', '  HARNESS_PROMOTION_CHECK_CRON: A cron schedule, in UTC',
    ]);
  });

  it('sets with which issuers people sign in, and for whom their tokens are', () => {
    const issuer = 'https://id.example.com/realms/main';
    expect(readConfig({ HARNESS_OIDC_ISSUER: `${issuer}, http://localhost:9000,${issuer}`, HARNESS_PUBLIC_URL: 'https://harness.example.com/' }).oidc).toEqual({
      issuers: [issuer, 'http://localhost:9000'], audiences: ['https://harness.example.com', 'https://harness.example.com/', 'https://harness.example.com/api/v1/mcp'],
    });
    expect(readConfig({ HARNESS_OIDC_ISSUER: issuer, HARNESS_OIDC_AUDIENCE: 'api://harness, other' }).oidc).toEqual({ issuers: [issuer], audiences: ['api://harness', 'other'] });
    for (const wrong of ['http://id.example.com', 'id.example.com', `${issuer},`, `${issuer}?x`, 'https://user:hunter22@id.example.com']) {
      const refused = refusal({ HARNESS_OIDC_ISSUER: wrong });
      expect(refused.slice(1)).toEqual([expect.stringMatching(/^ {2}HARNESS_OIDC_ISSUER: Addresses of OpenID/)]);
      expect(refused.join()).not.toContain('hunter22');
    }
    expect(refusal({ HARNESS_OIDC_ISSUER: issuer, HARNESS_OIDC_AUDIENCE: ',' }).slice(1)).toEqual(['  HARNESS_OIDC_AUDIENCE: Audiences, separated by commas']);
  });

  it('takes exact origins of foreign pages, and never all of them', () => {
    for (const wrong of ['*', 'https://desk.example.org/', 'https://desk.example.org/app', 'desk.example.org', 'https://*.example.org', 'null', 'https://desk.example.org,'])
      expect([wrong, refusal({ HARNESS_CORS_ORIGINS: wrong }).slice(1)]).toEqual([wrong, ['  HARNESS_CORS_ORIGINS: Origins such as https://desk.example.org, separated by commas']]);
  });

  it('sets who may scrape it, and where its traces go', () => {
    const environment = {
      HARNESS_METRICS_PORT: '9464', HARNESS_METRICS_TOKEN: 'token-of-the-scraper', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_SERVICE_NAME: 'harness', OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(readConfig(environment)).toMatchObject({
      metricsPort: 9464, metricsToken: 'token-of-the-scraper', traces: { endpoint: 'http://collector:4318', serviceName: 'harness', sampleRatio: 0.25 },
    });
    expect(readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector' }).traces).toEqual({ endpoint: 'https://collector' });
    const refused = refusal({ HARNESS_METRICS_PORT: 'x', HARNESS_METRICS_TOKEN: 'hunter22', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318', OTEL_TRACES_SAMPLER_ARG: '2' });
    expect(refused.slice(1).map((line) => line.split(':')[0]!.trim())).toEqual(['HARNESS_METRICS_PORT', 'HARNESS_METRICS_TOKEN', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_TRACES_SAMPLER_ARG']);
    expect(refused.join()).not.toContain('hunter22');
  });

  it('takes roles in any order and with blanks', () => {
    expect(readConfig({ HARNESS_ROLES: 'worker, gateway' }).roles).toEqual(['worker', 'gateway']);
  });

  it('is refused with one list of every wrong variable, without the value of a secret', () => {
    const wrong = { PORT: 'http', HARNESS_ROLES: 'all', DATABASE_URL: 'mysql://u:hunter22@h/x', HARNESS_BOOTSTRAP_KEY: 'hunter22', HARNESS_MCP_STDIO: 'yes', HARNESS_SEED: 'yes', HARNESS_QUEUE: 'some', LOG_LEVEL: 'quiet' };
    const [title, ...list] = refusal(wrong);
    expect(title).toBe('The environment is not valid:');
    expect(list.map((line) => line.split(':')[0]!.trim())).toEqual(Object.keys(wrong));
    expect(list.join()).not.toContain('hunter22');
  });

  it('takes a master key in either form, and shows none', () => {
    const hex = 'ab'.repeat(32);
    const base64 = Buffer.from(hex, 'hex').toString('base64');
    const [first, second] = [hex, base64].map((HARNESS_MASTER_KEY) => readConfig({ HARNESS_MASTER_KEY }).masterKey!);
    expect(first!.isOf(second!.checkValue)).toBe(true);
    expect(inspect(readConfig({ HARNESS_MASTER_KEY: hex }), { depth: 9, showHidden: true })).not.toMatch(/abab|[^0-9a-f]ab ab/);
    const refused = refusal({ HARNESS_MASTER_KEY: 'hunter22' });
    expect(refused).toEqual(['The environment is not valid:', '  HARNESS_MASTER_KEY: 32 random bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32)']);
  });

  it.each([
    [{ PORT: '65536' }, '  PORT: At most 65535'],
    [{ PORT: '-1' }, '  PORT: A port number'],
    [{ PORT: '4600.5' }, '  PORT: A port number'],
    [{ HARNESS_ROLES: 'gateway,' }, '  HARNESS_ROLES: A list of gateway and worker'],
    [{ HARNESS_BOOTSTRAP_KEY: 'hk_short' }, '  HARNESS_BOOTSTRAP_KEY: Starts with hk_ and has 8 to 500 more printable characters'],
    [{ HARNESS_BOOTSTRAP_KEY: 'hk_with a blank' }, '  HARNESS_BOOTSTRAP_KEY: Starts with hk_ and has 8 to 500 more printable characters'],
  ])('is refused for %j', (environment, sentence) => {
    expect(refusal(environment)).toEqual(['The environment is not valid:', sentence]);
  });
});
