import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import type { EffectiveTool } from '@app/governance/contract';
import { checkArguments } from '@app/json-schema';
import type { PrepareAction } from '../request-tool-call/request-tool-call.decide';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** What a reviewer approves is bound to the tool as it was defined: schema, risk, capabilities, owner, time limit. */
const definitionHashes = new WeakMap<EffectiveTool, string>();
const definitionHash = (tool: EffectiveTool) => {
  const known = definitionHashes.get(tool) ?? sha256(canonicalJson(tool));
  definitionHashes.set(tool, known);
  return known;
};

/**
 * Arguments and schemas come back from the log with their keys in another order, and a check names the first thing it finds wrong: so both
 * are checked in the order in which the log will keep them.
 */
const asLogged = <T>(value: T): T => JSON.parse(canonicalJson(value)) as T;
const schemas = new WeakMap<EffectiveTool, EffectiveTool['inputSchema']>();
const schemaOf = (tool: EffectiveTool) => {
  const known = schemas.get(tool) ?? asLogged(tool.inputSchema);
  schemas.set(tool, known);
  return known;
};

/** The exact action a request means under the tool's present definition: arguments after the schema's defaults, hash and digest. */
export const prepareAction: PrepareAction = (asked, tool) => {
  const { value, problems } = tool ? checkArguments(schemaOf(tool), asLogged(asked.arguments)) : { value: asked.arguments, problems: [] };
  const canonical = canonicalJson(value);
  const { siteId, runId, callId, tool: name } = asked;
  const digest = canonicalJson({ site: siteId, run: runId, tool: name, definition: tool ? definitionHash(tool) : null, arguments: value });
  return { action: { callId, tool: name, arguments: value, argumentsHash: sha256(canonical), actionDigest: sha256(digest) }, problems };
};
