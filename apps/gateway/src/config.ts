import { resolve } from 'node:path';
import { z } from 'zod';

const ROLES = ['gateway', 'worker'] as const;
const url = (...schemes: string[]) => z.url({ protocol: new RegExp(`^(${schemes.join('|')})$`) }).optional();

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
  HARNESS_SEED: z.enum(['demo', 'none']).default('demo'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'log', 'debug', 'verbose']).default('log'),
});

export type Config = {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly roles: readonly string[];
  readonly databaseUrl?: string | undefined;
  readonly bootstrapKey?: string | undefined;
  readonly seed: 'demo' | 'none';
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
  const { PORT, HOST, HARNESS_DATA_DIR, HARNESS_ROLES, DATABASE_URL, HARNESS_BOOTSTRAP_KEY, HARNESS_SEED, LOG_LEVEL } = read.data;
  return {
    port: PORT, host: HOST, dataDir: resolve(HARNESS_DATA_DIR), roles: HARNESS_ROLES, databaseUrl: DATABASE_URL, bootstrapKey: HARNESS_BOOTSTRAP_KEY,
    seed: HARNESS_SEED, logLevel: LOG_LEVEL,
  };
};
