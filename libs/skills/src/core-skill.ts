import { domainOf, type ToolDefinition } from '@app/governance/contract';
import type { Command, Outcome, Query } from '@app/kernel';
import type { CallContext, CallTarget, Change } from '@app/tool-calls/contract';
import { z } from 'zod';

/** How a skill reaches the use case it stands for. */
export type Dispatch = {
  send<R>(command: Command<R>): Promise<R>;
  ask<R>(query: Query<R>): Promise<R>;
};

/** One skill: what the registry tells about it, the schema of its input, and the use case it calls. */
export type CoreSkill<Input = never> = {
  readonly definition: ToolDefinition;
  /** Which kind of reviewer its calls concern. */
  readonly domain: ReturnType<typeof domainOf>;
  /** Under what its handler is found. */
  readonly handler: string;
  readonly run: (input: Input, call: CallContext, dispatch: Dispatch) => Promise<Outcome<unknown>>;
  /** `principalId` is whoever asked for the call. */
  readonly preview?: (input: Input, siteId: string, dispatch: Dispatch, principalId: string) => Promise<readonly Change[]>;
  /** Declared by a skill that changes one item; input that breaks its schema has none. */
  readonly target?: (input: Input, siteId: string, dispatch: Dispatch, principalId: string) => Promise<CallTarget | null>;
  /** Declared by a skill that makes many records at once: how many, so that a budget of writes counts each of them. */
  readonly writes?: (input: Input) => number;
};

type Declaration<S extends z.ZodType> = {
  readonly description: string;
  readonly input: S;
  readonly capability: string;
  readonly risk: ToolDefinition['risk'];
  readonly dangerous?: true;
  readonly irreversible?: true;
  readonly attended?: true;
  readonly idempotent?: true;
  readonly stageable?: true;
  readonly run: CoreSkill<z.infer<S>>['run'];
  readonly preview?: CoreSkill<z.infer<S>>['preview'];
  readonly target?: CoreSkill<z.infer<S>>['target'];
  readonly writes?: CoreSkill<z.infer<S>>['writes'];
};

/** Whoever can change access, intents or flows can change what all others may do; so can whoever changes versions of content that is live. */
const GOVERNED = /^(access|intents|flows):/;
const VERSION_WRITES = ['createVersion', 'updateVersion', 'promoteVersion'];
/** What these take away cannot be brought back by anybody. */
const IRREVERSIBLE = ['deleteCollection', 'deleteField', 'deleteRole', 'deletePolicy', 'deleteRelation', 'revokeApiKey', 'removeUser'];

const flagsOf = (name: string, { capability, risk, dangerous, irreversible }: Pick<Declaration<z.ZodType>, 'capability' | 'risk' | 'dangerous' | 'irreversible'>) => ({
  ...((dangerous || VERSION_WRITES.includes(name) || (risk !== 'read' && GOVERNED.test(capability))) && { dangerous: true }),
  ...((irreversible || IRREVERSIBLE.includes(name)) && { irreversible: true }),
});

const OWNER = 'core';
const TIMEOUT_MS = 30_000;

/** The tool's JSON Schema is made from the same zod schema that checks the REST body of the use case. */
export const skill = <S extends z.ZodType>(name: string, { description, input, capability, risk, run, preview, target, writes, ...flags }: Declaration<S>): CoreSkill => {
  const inputSchema = inputSchemaOf(input);
  const [namespace] = capability.split(':');
  return {
    domain: domainOf(capability), handler: `${namespace}.${name}`,
    definition: {
      name, kind: 'skill', description, inputSchema, requiredCapabilities: [capability], risk, ...flags, ...flagsOf(name, { capability, risk, ...flags }),
      timeoutMs: TIMEOUT_MS, owner: OWNER,
    },
    // The arguments satisfied the schema at the door, defaults filled in; parsing them again gives the use case its own type.
    run: (given: unknown, call, dispatch) => run(input.parse(given), call, dispatch),
    ...(preview && { preview: (given: unknown, siteId: string, dispatch: Dispatch, principalId: string) => preview(input.parse(given), siteId, dispatch, principalId) }),
    ...(target && {
      // The door looks for the target before it has checked the arguments.
      target: async (given: unknown, siteId: string, dispatch: Dispatch, principalId: string) => {
        const parsed = input.safeParse(given);
        return parsed.success ? target(parsed.data, siteId, dispatch, principalId) : null;
      },
    }),
    ...(writes && {
      // Asked before the arguments are checked as well.
      writes: (given: unknown) => {
        const parsed = input.safeParse(given);
        return parsed.success ? writes(parsed.data) : 1;
      },
    }),
  };
};

/** Behind an alternative nobody at the door can fill in a default, and one that is ignored is not taken; the use case fills it in. */
const withoutHiddenDefault = ({ jsonSchema, path }: { readonly jsonSchema: { default?: unknown }; readonly path: readonly (string | number)[] }) => {
  if (path.some((step) => step === 'oneOf' || step === 'anyOf')) delete jsonSchema.default;
};

/** A tool's schema is an object at its root, so a named schema, which zod puts under `$defs`, is unfolded there. */
const inputSchemaOf = (input: z.ZodType): ToolDefinition['inputSchema'] => {
  const { $schema: _dialect, $defs = {}, $ref, ...root } = z.toJSONSchema(input, { target: 'draft-2020-12', io: 'input', override: withoutHiddenDefault });
  if ($ref === undefined) return { ...root, ...(Object.keys($defs).length > 0 && { $defs }) } as unknown as ToolDefinition['inputSchema'];
  const name = $ref.slice('#/$defs/'.length);
  const { [name]: named, ...others } = $defs;
  return { ...named, ...(Object.keys(others).length > 0 && { $defs: others }) } as unknown as ToolDefinition['inputSchema'];
};
