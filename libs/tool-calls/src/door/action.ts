import { createHash, createHmac } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import type { EffectiveTool } from '@app/governance/contract';
import { checkArguments } from '@app/json-schema';
import { MASK, maskSecrets, masksIn } from '@app/vault/contract';
import type { Prepared, PrepareAction } from '../request-tool-call/request-tool-call.decide';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const keyed = (key: string) => (text: string) => createHmac('sha256', key).update(text).digest('hex');

/** Names of members are part of a path, and a secret may be used as one. */
const problemsOf = (value: unknown, canonical: string, broken: Prepared['problems']) => {
  const problems = canonical.includes(MASK) ? [...masksIn(value), ...broken] : broken;
  return problems.length === 0 ? problems : maskSecrets(problems).masked;
};

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

/**
 * The exact action a request means under the tool's present definition: arguments after the schema's defaults, hash and digest. What is
 * recorded of arguments with secrets holds none, and both hashes are keyed then: nobody who reads the log shall try out what a short password
 * was. A mask among the arguments is a mistake of the caller, for whom it would replace the secret that it stands for.
 */
export const prepareAction: PrepareAction = (asked, tool) => {
  const { value, problems } = tool ? checkArguments(schemaOf(tool), asLogged(asked.arguments)) : { value: asked.arguments, problems: [] };
  const canonical = canonicalJson(value);
  const { masked, secrets } = asked.pepper === undefined ? { masked: value, secrets: [] } : maskSecrets(value);
  const hash = asked.pepper === undefined ? sha256 : keyed(asked.pepper);
  const { siteId, runId, callId, tool: name } = asked;
  const digest = canonicalJson({ site: siteId, run: runId, tool: name, definition: tool ? definitionHash(tool) : null, arguments: value });
  return {
    // A name that no tool has may be anything, a token that went into the wrong field for instance.
    action: { callId, tool: tool ? name : maskSecrets(name).masked, arguments: masked, ...(asked.pepper !== undefined && { masked: true as const }), argumentsHash: hash(canonical), actionDigest: hash(digest) },
    problems: problemsOf(value, canonical, problems), exact: value, secrets,
  };
};
