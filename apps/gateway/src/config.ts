import { resolve } from 'node:path';
import { cronProblem } from '@app/cron';
import type { ChatCompletionsOptions } from '@app/intents';
import type { LoadLimits } from '@app/load-guard';
import { DEFAULT_HOLD_DOWN_MS, DEFAULT_THRESHOLDS, SAMPLE_EVERY_MS } from '@app/load-guard/contract';
import type { TracingOptions } from '@app/observability';
import { HEARTBEAT_EXPIRES_MS } from '@app/liveness';
import { MasterKey } from '@app/vault';
import { z } from 'zod';
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
  HARNESS_BOOTSTRAP_KEY: z.string().regex(/^hk_[\x21-\x7e]{8,500}$/, 'Starts with hk_ and has 8 to 500 more printable characters').optional(),
  HARNESS_MASTER_KEY: masterKey,
  HARNESS_PREVIOUS_MASTER_KEY: masterKey,
  HARNESS_MCP_STDIO: z.enum(['on', 'off']).default('off'),
  /** Of a provider that speaks the chat completions protocol; without an address and a model nothing is asked. */
  LLM_BASE_URL: url('http', 'https'),
  LLM_API_KEY: z.string().regex(/^[\x21-\x7e]{1,1000}$/, 'Printable characters').optional(),
  LLM_MODEL: z.string().min(1).max(200).optional(),
  HARNESS_SEED: z.enum(['demo', 'none']).default('demo'),
  HARNESS_QUEUE: z.enum(['on', 'off']).default('on'),
  HARNESS_HEARTBEAT_EXPIRES_MS: milliseconds(HEARTBEAT_EXPIRES_MS).refine((ms) => ms >= 1_000, 'At least 1000'),
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
});

export type Config = {
  /** How long a process counts as alive after its last heartbeat. */
  readonly heartbeatExpiresMs: number;
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly roles: readonly string[];
  readonly databaseUrl?: string | undefined;
  readonly bootstrapKey?: string | undefined;
  /** Unset: the one of the data directory. */
  readonly masterKey?: MasterKey | undefined;
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
  return {
    port: PORT, host: HOST, dataDir: resolve(HARNESS_DATA_DIR), roles: HARNESS_ROLES, databaseUrl: DATABASE_URL, bootstrapKey: HARNESS_BOOTSTRAP_KEY,
    masterKey: HARNESS_MASTER_KEY, previousMasterKey: HARNESS_PREVIOUS_MASTER_KEY, mcpStdio: HARNESS_MCP_STDIO === 'on', seed: HARNESS_SEED, queue: HARNESS_QUEUE, logLevel: LOG_LEVEL, metricsPort: HARNESS_METRICS_PORT, metricsToken: HARNESS_METRICS_TOKEN,
    llm: LLM_BASE_URL === undefined || LLM_MODEL === undefined ? undefined : { baseUrl: LLM_BASE_URL, model: LLM_MODEL, ...(LLM_API_KEY !== undefined && { apiKey: LLM_API_KEY }) },
    load: {
      thresholds: { eventLoopDelayMs: HARNESS_BACKPRESSURE_EVENT_LOOP_MS, projectionLagMs: HARNESS_BACKPRESSURE_PROJECTION_LAG_MS, databaseLatencyMs: HARNESS_BACKPRESSURE_DATABASE_MS },
      holdDownMs: read.data.HARNESS_BACKPRESSURE_HOLD_DOWN_MS, everyMs: read.data.HARNESS_LOAD_SAMPLE_MS,
    },
    promotionCheck: read.data.HARNESS_PROMOTION_CHECK_CRON, heartbeatExpiresMs: read.data.HARNESS_HEARTBEAT_EXPIRES_MS,
    traces: OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? undefined : {
      endpoint: OTEL_EXPORTER_OTLP_ENDPOINT, ...(OTEL_SERVICE_NAME !== undefined && { serviceName: OTEL_SERVICE_NAME }),
      ...(OTEL_TRACES_SAMPLER_ARG !== undefined && { sampleRatio: OTEL_TRACES_SAMPLER_ARG }),
    },
  };
};
