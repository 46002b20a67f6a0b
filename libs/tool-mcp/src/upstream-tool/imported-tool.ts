import type { ToolDefinition } from '@app/governance/contract';
import { DEFAULT_TIMEOUT_MS, ToolDefinition as Definition } from '@app/governance/contract';
import { asDialect2020, schemaProblem } from '@app/json-schema';
import { annotatedRisk } from './annotated-risk.policy';
import { textFindings } from './description-scan.policy';
import { mixesScripts, type KnownLooks } from './look-alike.policy';
import { TooNested, textsIn, withVisibleText } from './schema-texts';
import { digestOf, type UpstreamTool } from './upstream-tool';
import { hasHiddenCharacters, visibleText } from './visible-text.policy';

/** What the person who imports decided for all tools of the server. */
export type ImportTerms = {
  readonly server: string;
  readonly prefix: string;
  readonly requiredCapabilities: readonly string[];
  readonly risk: ToolDefinition['risk'] | undefined;
};

/** A tool to register, or why it cannot be; what is suspicious about it is told either way. */
export type Candidate = { readonly findings: readonly string[] } & ({ readonly definition: ToolDefinition } | { readonly reason: string });

const MAX_DESCRIPTION = 4_000;
const MAX_OWN_NAME = 64;
/** What a name of the protocol may hold, and blanks and slashes, which some servers use. */
const NAME = /^[A-Za-z0-9_.\-/ ]+$/;
/** PostgreSQL keeps neither NUL nor half of a surrogate pair. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/i;

export const ownNameOf = (name: string, prefix: string): string => `${prefix}${name.replace(/[^A-Za-z0-9_-]/g, '_')}`;

/** The registration of an upstream tool under the terms of its import. Schemas are bounded before anything walks through them. */
export const importedTool = (tool: UpstreamTool, terms: ImportTerms, looks: KnownLooks): Candidate => {
  const nameFindings = findingsOfName(tool.name, looks);
  try {
    const texts = [tool.title, tool.description, ...textsIn(tool.inputSchema), ...textsIn(tool.outputSchema), ...textsIn(tool.annotations)];
    const findings = [...new Set([...nameFindings, ...texts.flatMap(textFindings)])];
    const made = definitionOf(tool, terms, findings.length > 0);
    return typeof made === 'string' ? { findings, reason: made } : { findings, definition: made };
  } catch (error) {
    if (error instanceof TooNested) return { findings: nameFindings, reason: error.message };
    throw error;
  }
};

const findingsOfName = (name: string, looks: KnownLooks): readonly string[] => {
  const other = looks.mistakenFor(name);
  return [
    ...(hasHiddenCharacters(name) ? ['Its name holds hidden characters'] : []),
    ...(mixesScripts(name) ? ['Its name mixes letters of several scripts'] : []),
    ...(other !== undefined ? [`Its name looks like that of ${other}`] : []),
  ];
};

const definitionOf = (tool: UpstreamTool, { server, prefix, requiredCapabilities, risk }: ImportTerms, suspicious: boolean): ToolDefinition | string => {
  const own = ownNameOf(tool.name, prefix);
  if (!NAME.test(tool.name)) return 'Its name holds characters that no tool name may have';
  // Looked at as the server wrote it: some readers drop such members without a word.
  const text = JSON.stringify(tool);
  if (UNSTORABLE.test(text) || text.includes('"__proto__"')) return 'Its description holds characters or names that cannot be stored';
  if (own.length > MAX_OWN_NAME) return `Its name is longer than ${MAX_OWN_NAME} characters`;
  const description = visibleText(tool.description).trim() || visibleText(tool.title).trim() || `${own} of ${server}`;
  if (description.length > MAX_DESCRIPTION) return `Its description is longer than ${MAX_DESCRIPTION} characters`;
  const schemas = { inputSchema: tool.inputSchema, ...(tool.outputSchema && { outputSchema: tool.outputSchema }) };
  for (const [key, schema] of Object.entries(schemas)) {
    const problem = schemaProblem(asDialect2020(schema));
    if (problem !== undefined) return `Its ${key === 'inputSchema' ? 'input' : 'output'} schema cannot be enforced: ${problem.slice(0, 300)}`;
  }
  const risks = risk === undefined ? annotatedRisk(tool.annotations) : { ...annotatedRisk(tool.annotations), risk, dangerous: risk === 'destructive' };
  const { dangerous, ...others } = risks;
  const made = Definition.safeParse({
    name: `${server}.${own}`, kind: 'mcp', description, owner: server, timeoutMs: DEFAULT_TIMEOUT_MS, requiredCapabilities, ...others,
    // Whoever is suspicious waits for a person at every call, until an admin has looked and says otherwise.
    ...((dangerous || suspicious) && { dangerous: true }),
    ...Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, withVisibleText(asDialect2020(schema))])),
    mcp: { server, tool: tool.name, digest: digestOf(tool) },
  });
  if (!made.success) return `It cannot be registered: ${made.error.issues[0]!.path.join('.')}: ${made.error.issues[0]!.message}`;
  return made.data;
};
