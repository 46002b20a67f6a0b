import { accept, missing, reject, type Decision } from '@app/kernel';
import { sameJson, toolOf, type Governance, type GovernanceEvent, type RegisteredTool, type Site } from '@app/governance/contract';
import type { PutToolBody } from './put-tool.command';
import { definitionOf, registrationProblems, sendsOutside, type FieldProblem } from './registration.policy';

type Put = Decision<{ readonly governance: readonly GovernanceEvent[] }>;

/** Schemas come with the reason why they cannot be enforced, if there is one: what cannot be enforced is refused here, never ignored later. */
export const putTool = (state: Governance, name: string, body: PutToolBody, schemaProblems: readonly FieldProblem[], by: string): Put => {
  if (state.status === 'none') return missing();
  const known = toolOf(state, name) && state.tools[name];
  const { kind, irreversible, http, worker, mcp, ...governed } = body;
  if (known?.definition.kind === 'skill') {
    if (kind !== undefined && kind !== 'skill') return reserved(name);
    const foreign = Object.entries({ irreversible, http, worker, mcp }).filter(([, value]) => value !== undefined);
    if (foreign.length > 0) return invalid(foreign.map(([key]) => ({ pointer: `/${key}`, detail: 'Part of the skill itself; a site may override its governance only' })));
    return overridden(known, name, governed, schemaProblems);
  }
  if (kind !== undefined) return registered(state, known, name, body, schemaProblems, by);
  if (!known) return missing();
  const own = Object.entries({ irreversible, http, worker, mcp }).filter(([, value]) => value !== undefined);
  if (own.length > 0) return invalid(own.map(([key]) => ({ pointer: `/${key}`, detail: 'Part of the registration: send the whole of it, with its kind' })));
  return overridden(known, name, governed, schemaProblems);
};

/** Anew as a whole: what was overridden before does not hide what is registered now. */
const registered = (site: Site, known: RegisteredTool | undefined, name: string, body: PutToolBody, schemaProblems: readonly FieldProblem[], by: string): Put => {
  if (looksLikeSkill(site, name)) return reserved(name);
  const problems = [...registrationProblems(name, body), ...schemaProblems];
  if (problems.length > 0) return invalid(problems);
  const tool = definitionOf(name, { ...body, owner: body.owner ?? known?.definition.owner }, by);
  const events: GovernanceEvent[] = [];
  if (!sameJson(known?.definition, tool)) events.push({ type: 'ToolRegistered', data: { tool } });
  const wasChanged = known !== undefined && Object.keys(known.override).length > 0;
  if (wasChanged) events.push({ type: 'ToolOverrideRemoved', data: { name } });
  return accept({ governance: [...events, ...switched(name, known === undefined || wasChanged || known.enabled, body.enabled ?? true)] });
};

const overridden = (known: RegisteredTool, name: string, { enabled, ...override }: Omit<PutToolBody, 'kind' | 'irreversible' | 'http' | 'worker' | 'mcp'>, schemaProblems: readonly FieldProblem[]): Put => {
  if (schemaProblems.length > 0) return invalid(schemaProblems);
  const before = known.override as Readonly<Record<string, unknown>>;
  const changes = Object.entries(override).some(([key, value]) => !sameJson(before[key], value));
  const events = changes ? [...madeIrreversible(known, override.risk), { type: 'ToolOverridden', data: { name, override } } as const] : [];
  return accept({ governance: [...events, ...switched(name, known.enabled, enabled ?? known.enabled)] });
};

/** A tool that was registered as one that reads, and now is said to do more. Tools of an MCP server are judged by what it claims when they are imported. */
const madeIrreversible = ({ definition: tool }: RegisteredTool, risk: PutToolBody['risk']): readonly GovernanceEvent[] =>
  risk !== undefined && tool.kind !== 'mcp' && tool.irreversible === undefined && sendsOutside({ kind: tool.kind, risk }) ? [{ type: 'ToolRegistered', data: { tool: { ...tool, irreversible: true } } }] : [];

const switched = (name: string, before: boolean, after: boolean): readonly GovernanceEvent[] =>
  before === after ? [] : [{ type: after ? 'ToolEnabled' : 'ToolDisabled', data: { name } }];

/** `updateitem` would be taken for `updateItem` by every reader, human or not. */
const looksLikeSkill = (site: Site, name: string) =>
  Object.values(site.tools).some(({ definition }) => definition.kind === 'skill' && definition.name.toLowerCase() === name.toLowerCase());

const reserved = (name: string) => reject('invalid', 'RESERVED_NAME', `${name} is the name of a skill of this server, or looks like one; give the tool another name.`, { name });

const invalid = (errors: readonly FieldProblem[]) => reject('invalid', 'VALIDATION_FAILED', sentenceOf(errors), { errors });

const sentenceOf = (errors: readonly FieldProblem[]) =>
  errors.every(({ pointer }) => pointer === '/inputSchema' || pointer === '/outputSchema') ? 'The schema cannot be enforced in full.' : 'The tool cannot be registered like this.';
