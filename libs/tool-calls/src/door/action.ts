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

/** The exact action a request means under the tool's present definition: arguments after the schema's defaults, hash and digest. */
export const prepareAction: PrepareAction = (asked, tool) => {
  const { value, problems } = tool ? checkArguments(tool.inputSchema, asked.arguments) : { value: asked.arguments, problems: [] };
  const canonical = canonicalJson(value);
  const { siteId, runId, callId, tool: name } = asked;
  const digest = canonicalJson({ site: siteId, run: runId, tool: name, definition: tool ? definitionHash(tool) : null, arguments: value });
  return { action: { callId, tool: name, arguments: value, argumentsHash: sha256(canonical), actionDigest: sha256(digest) }, problems };
};
