import { resolve } from 'node:path';
import { cronProblem } from '@app/cron';
import type { ChatCompletionsOptions } from '@app/intents';
import type { LoadLimits } from '@app/load-guard';
import { DEFAULT_HOLD_DOWN_MS, DEFAULT_THRESHOLDS, SAMPLE_EVERY_MS } from '@app/load-guard/contract';
import type { TracingOptions } from '@app/observability';
import { HEARTBEAT_EXPIRES_MS } from '@app/liveness';
import { audiencesOf, isIssuer, type OidcOptions } from '@app/oidc';
import { MasterKey } from '@app/vault';
import { z } from 'zod';
import type { Reach } from '../../worker/src/notifications';
import { DAILY } from '../../worker/src/promotion-check';

const ROLES = ['gateway', 'worker'] as const;
/** Fractions are allowed: what is measured has them. */
const milliseconds = (otherwise: number) => z.string().regex(/^\d{1,9}(\.\d{1,6})?$/, 'Milliseconds').transform(Number).default(otherwise);
const url = (...schemes: string[]) => z.url({ protocol: new RegExp(`^(${schemes.join('|')})$`) }).optional();

/** Its message never shows what was given. */
const masterKey = z
  .string()
  .refine((text) => MasterKey.of(text) !== undefined, '32 random bytes, as 64 hexadecimal digits or as base64 (openssl rand -base64 32)')
  .transform((text) => MasterKey.of(text)!)
  .optional();

/** Names no credentials when it is wrong. */
const natsUrl = z
  .string()
  .refine((list) => list.split(',').every((server) => URL.canParse(server.trim()) && /^(nats|tls):$/.test(new URL(server.trim()).protocol)), 'Addresses such as nats://127.0.0.1:4222, separated by commas')
  .optional();

/** As a browser names it: without a path, and never all of them. */
const isOrigin = (text: string): boolean => /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
const list = z.string().max(8_000).transform((text) => [...new Set(text.split(',').map((one) => one.trim()))]);

const Environment = z.object({
  PORT: z.string().regex(/^\d{1,5}$/, 'A port number').transform(Number).refine((port) => port <= 65_535, 'At most 65535').default(4600),
  HOST: z.string().min(1).default('127.0.0.1'),
  HARNESS_DATA_DIR: z.string().min(1).default('.harness'),
  HARNESS_ROLES: z
    .string()
    .default(ROLES.join(','))
    .transform((text) => text.split(',').map((role) => role.trim()))
    .refine((roles) => roles.length > 0 && roles.every((role) => (ROLES as readonly string[]).includes(role)), `A list of ${ROLES.join(' and ')}`),
  DATABASE_URL: url('postgres', 'postgresql'),
  NATS_URL: natsUrl,
  HARNESS_BOOTSTRAP_KEY: z.string().regex(/^hk_[\x21-\x7e]{8,500}$/, 'Starts with hk_ and has 8 to 500 more printable characters').optional(),
  HARNESS_MASTER_KEY: masterKey,
  HARNESS_PREVIOUS_MASTER_KEY: masterKey,
  HARNESS_MASTER_KEY_COMMAND: z.string().min(1).max(4_000).optional(),
  HARNESS_MCP_STDIO: z.enum(['on', 'off']).default('off'),
  /** Of a provider that speaks the chat completions protocol; without an address and a model nothing is asked. */
  HARNESS_CHECKPOINT_WEBHOOK: url('http', 'https'),
  HARNESS_CHECKPOINT_WEBHOOK_SECRET: z.string().regex(/^[\x21-\x7e]{16,500}$/, '16 to 500 printable characters').optional(),
  LLM_BASE_URL: url('http', 'https'),
  LLM_API_KEY: z.string().regex(/^[\x21-\x7e]{1,1000}$/, 'Printable characters').optional(),
  LLM_MODEL: z.string().min(1).max(200).optional(),
  HARNESS_SEED: z.enum(['demo', 'none']).default('demo'),
  HARNESS_QUEUE: z.enum(['on', 'off']).default('on'),
  HARNESS_HEARTBEAT_EXPIRES_MS: milliseconds(HEARTBEAT_EXPIRES_MS).refine((ms) => ms >= 1_000, 'At least 1000'),
  /** Where people reach this installation; the address it listens on unless a proxy stands in front of it. */
  HARNESS_PUBLIC_URL: url('http', 'https').transform((address) => address?.replace(/\/+$/, '')),
  HARNESS_CORS_ORIGINS: list.refine((origins) => origins.every(isOrigin), 'Origins such as https://desk.example.org, separated by commas').optional(),
  /** Exactly as tokens name them in `iss`. */
  HARNESS_OIDC_ISSUER: list.refine((issuers) => issuers.every(isIssuer), 'Addresses of OpenID Connect issuers, https (http on this machine only), separated by commas').optional(),
  HARNESS_OIDC_AUDIENCE: list.refine((audiences) => audiences.every((one) => /^[\x21-\x7e]{1,500}$/.test(one)), 'Audiences, separated by commas').optional(),
  SMTP_URL: url('smtp', 'smtps'),
  HARNESS_MAIL_FROM: z.string().max(320).regex(/^[^\p{Cc}]*@[^\p{Cc}]+$/u, 'An address, such as Harness <harness@example.org>').default('Agent Harness <harness@localhost>'),
  HARNESS_METRICS_PORT: z.string().regex(/^\d{1,5}$/, 'A port number').transform(Number).refine((port) => port <= 65_535, 'At most 65535').optional(),
  HARNESS_METRICS_TOKEN: z.string().regex(/^[\x21-\x7e]{16,500}$/, '16 to 500 printable characters').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https'),
  OTEL_SERVICE_NAME: z.string().max(200).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'The part of traces to record, 0 to 1').transform(Number).optional(),
  HARNESS_BACKPRESSURE_EVENT_LOOP_MS: milliseconds(DEFAULT_THRESHOLDS.eventLoopDelayMs),
  HARNESS_BACKPRESSURE_PROJECTION_LAG_MS: milliseconds(DEFAULT_THRESHOLDS.projectionLagMs),
  HARNESS_BACKPRESSURE_DATABASE_MS: milliseconds(DEFAULT_THRESHOLDS.databaseLatencyMs),
  HARNESS_BACKPRESSURE_HOLD_DOWN_MS: milliseconds(DEFAULT_HOLD_DOWN_MS),
  HARNESS_LOAD_SAMPLE_MS: milliseconds(SAMPLE_EVERY_MS).refine((ms) => ms >= 10, 'At least 10'),
  HARNESS_PROMOTION_CHECK_CRON: z.string().refine((cron) => cronProblem(cron, 'UTC', new Date()) === undefined, 'A cron schedule, in UTC').default(DAILY),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'log', 'debug', 'verbose']).default('log'),
}).refine(({ HARNESS_CHECKPOINT_WEBHOOK: url, HARNESS_CHECKPOINT_WEBHOOK_SECRET: secret }) => url === undefined || secret !== undefined, {
  path: ['HARNESS_CHECKPOINT_WEBHOOK_SECRET'], message: 'What is sent to HARNESS_CHECKPOINT_WEBHOOK is signed with it: 16 to 500 printable characters',
});

export type Config = {
  /** How long a process counts as alive after its last heartbeat. */
  readonly heartbeatExpiresMs: number;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly roles: readonly string[];
  readonly databaseUrl?: string | undefined;
  /** Unset: no events are published, and nothing is asked over NATS. */
  readonly natsUrl?: string | undefined;
  /** Where every signed checkpoint is sent. */
  readonly checkpointWebhook?: { readonly url: string; readonly secret: string } | undefined;
  readonly bootstrapKey?: string | undefined;
  /** Unset: the one that the command prints, or else that of the data directory. */
  readonly masterKey?: MasterKey | undefined;
  /** Prints the master key: a hook for key management services. */
  readonly masterKeyCommand?: string | undefined;
  /** The one to be replaced by `masterKey`, at this start. */
  readonly previousMasterKey?: MasterKey | undefined;
  /** Platform admins may import upstream MCP servers that are programs of this machine. */
  readonly mcpStdio: boolean;
  readonly seed: 'demo' | 'none';
  /** `off`: nothing runs in the background, and what would have to is refused. */
  readonly queue: 'on' | 'off';
  /** Of a listener of its own for scrapers, beside the API's. */
  readonly metricsPort?: number | undefined;
  readonly metricsToken?: string | undefined;
  /** Unset: no language model is asked anything. */
  readonly llm?: ChatCompletionsOptions | undefined;
  /** Unset: nothing is traced. */
  readonly traces?: TracingOptions | undefined;
  /** From which load on the work of the reconciler waits. */
  readonly load: LoadLimits;
  readonly reach: Reach;
  /** Pages of these origins may call the API from a browser. */
  readonly corsOrigins: readonly string[];
  /** Unset: people come with keys alone. */
  readonly oidc?: OidcOptions | undefined;
  /** When the trust of every site is looked at; cron, in UTC. */
  readonly promotionCheck: string;
  readonly logLevel: z.infer<typeof Environment>['LOG_LEVEL'];
};

/** The environment is wrong: `message` lists every wrong variable, so that one look mends them all. */
export class InvalidEnvironment extends Error {}

/** Reads the environment once, at the start. An empty variable counts as unset. */
export const readConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const read = Environment.safeParse(set);
  if (!read.success) {
    const list = read.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
    throw new InvalidEnvironment(`The environment is not valid:\n${list.join('\n')}`);
  }
  const { PORT, HOST, HARNESS_DATA_DIR, HARNESS_ROLES, DATABASE_URL, HARNESS_BOOTSTRAP_KEY, HARNESS_MASTER_KEY, HARNESS_PREVIOUS_MASTER_KEY, HARNESS_MCP_STDIO, HARNESS_SEED, HARNESS_QUEUE, LOG_LEVEL } = read.data;
  const { HARNESS_METRICS_PORT, HARNESS_METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG, LLM_BASE_URL, LLM_API_KEY, LLM_MODEL } = read.data;
  const { HARNESS_BACKPRESSURE_EVENT_LOOP_MS, HARNESS_BACKPRESSURE_PROJECTION_LAG_MS, HARNESS_BACKPRESSURE_DATABASE_MS } = read.data;
  const publicUrl = read.data.HARNESS_PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`;
  return {
    port: PORT, host: HOST, dataDir: resolve(HARNESS_DATA_DIR), roles: HARNESS_ROLES, databaseUrl: DATABASE_URL, natsUrl: read.data.NATS_URL, checkpointWebhook: read.data.HARNESS_CHECKPOINT_WEBHOOK === undefined ? undefined : { url: read.data.HARNESS_CHECKPOINT_WEBHOOK, secret: read.data.HARNESS_CHECKPOINT_WEBHOOK_SECRET! }, bootstrapKey: HARNESS_BOOTSTRAP_KEY,
    masterKey: HARNESS_MASTER_KEY, masterKeyCommand: read.data.HARNESS_MASTER_KEY_COMMAND, previousMasterKey: HARNESS_PREVIOUS_MASTER_KEY, mcpStdio: HARNESS_MCP_STDIO === 'on', seed: HARNESS_SEED, queue: HARNESS_QUEUE, logLevel: LOG_LEVEL, metricsPort: HARNESS_METRICS_PORT, metricsToken: HARNESS_METRICS_TOKEN,
    llm: LLM_BASE_URL === undefined || LLM_MODEL === undefined ? undefined : { baseUrl: LLM_BASE_URL, model: LLM_MODEL, ...(LLM_API_KEY !== undefined && { apiKey: LLM_API_KEY }) },
    load: {
      thresholds: { eventLoopDelayMs: HARNESS_BACKPRESSURE_EVENT_LOOP_MS, projectionLagMs: HARNESS_BACKPRESSURE_PROJECTION_LAG_MS, databaseLatencyMs: HARNESS_BACKPRESSURE_DATABASE_MS },
      holdDownMs: read.data.HARNESS_BACKPRESSURE_HOLD_DOWN_MS, everyMs: read.data.HARNESS_LOAD_SAMPLE_MS,
    },
    reach: { publicUrl, smtpUrl: read.data.SMTP_URL, mailFrom: read.data.HARNESS_MAIL_FROM },
    corsOrigins: read.data.HARNESS_CORS_ORIGINS ?? [],
    oidc: read.data.HARNESS_OIDC_ISSUER === undefined ? undefined : { issuers: read.data.HARNESS_OIDC_ISSUER, audiences: read.data.HARNESS_OIDC_AUDIENCE ?? audiencesOf(publicUrl) },
    promotionCheck: read.data.HARNESS_PROMOTION_CHECK_CRON, heartbeatExpiresMs: read.data.HARNESS_HEARTBEAT_EXPIRES_MS,
    traces: OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : {
      endpoint: OTEL_EXPORTER_OTLP_ENDPOINT, ...(OTEL_SERVICE_NAME !== undefined && { serviceName: OTEL_SERVICE_NAME }),
      ...(OTEL_TRACES_SAMPLER_ARG !== undefined && { sampleRatio: OTEL_TRACES_SAMPLER_ARG }),
    },
  };
};
