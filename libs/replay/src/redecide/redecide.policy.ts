import { effectiveTool, type EffectiveTool, type Matcher, type RegisteredTool, type Site } from '@app/governance/contract';
import type { LiveRun, RunEvent } from '@app/runs/contract';
import {
  authorisedEvent, decideToolCall, denialEvents, deniedAsAsked, requestToolCall, type Asked, type PrepareAction, type Verdict,
} from '@app/tool-calls/contract';
import { isAnswerOfPerson, type RecordedDecision } from './decision-event.policy';

/** The two things a decision is computed with that are compiled outside: both answer equal questions equally. */
export type Rules = { readonly prepare: PrepareAction; readonly matches: Matcher };

/** The world a decision was taken in: run and governance as they were just before its append. */
export type World = { readonly run: LiveRun; readonly site: Site; readonly governanceVersion: number };

/** What the door says today about a recorded question, and the run's events it would append from the decision on. */
export type Redecided = { readonly verdict: Verdict; readonly events: readonly RunEvent[] };

const tools = new WeakMap<RegisteredTool, EffectiveTool>();

/** Like `toolOf`, but one object per definition, so that its hash is computed once per change and not once per call. */
const toolIn = (site: Site, name: string): EffectiveTool | undefined => {
  const registered = Object.hasOwn(site.tools, name) ? site.tools[name] : undefined;
  if (!registered) return undefined;
  const known = tools.get(registered) ?? effectiveTool(registered);
  tools.set(registered, known);
  return known;
};

const asked = ({ run, site, governanceVersion }: World, { siteId, data }: RecordedDecision, { prepare }: Rules) => {
  const tool = toolIn(site, data.tool);
  const { action, problems } = prepare({ siteId, runId: run.runId, callId: data.callId, tool: data.tool, arguments: data.arguments }, tool);
  return { tool, question: { action, inputs: { ...data.inputs, argumentProblems: problems }, governanceVersion } satisfies Asked };
};

/** The verdict on a recorded question in some world: the one it was asked in, or one with candidate rules. */
export const verdictIn = (world: World, decision: RecordedDecision, rules: Rules): Verdict => {
  const { tool, question } = asked(world, decision, rules);
  return verdictOf(world, decision, tool, question, rules);
};

const verdictOf = ({ run, site }: World, { occurredAt }: RecordedDecision, tool: EffectiveTool | undefined, { action, inputs }: Asked, { matches }: Rules) =>
  decideToolCall({ ...inputs, run, site, tool, arguments: action.arguments, now: new Date(occurredAt), matches });

/**
 * Decides a recorded call again and writes down the result as the door does. Ids that the door was given, such as that of an approval, and
 * a person's answer are facts of the record, not results.
 */
export const redecide = (world: World, decision: RecordedDecision, rules: Rules): Redecided => {
  const { tool, question } = asked(world, decision, rules);
  const verdict = verdictOf(world, decision, tool, question, rules);
  return { verdict, events: eventsOf(world.run, decision, question, verdict) };
};

/** That a call had an item to be staged for shows in the record; which one matters to the staging alone. */
const SOME_ITEM = { collection: '', itemId: '', version: 0, pinnedFields: [], patch: { before: {}, after: {} } };

const eventsOf = (run: LiveRun, decision: RecordedDecision, question: Asked, verdict: Verdict): readonly RunEvent[] => {
  if (decision.type === 'ToolCallDenied' && isAnswerOfPerson(decision)) return answerEvents(run, decision, question);
  const { data, metadata, occurredAt } = decision;
  const approvalId = 'approvalId' in data ? data.approvalId : undefined;
  if (!question.inputs.approved) {
    const stageAs = decision.type === 'ToolCallStaged' ? { stagingId: decision.data.stagingId, target: SOME_ITEM, intentId: null } : undefined;
    const made = requestToolCall(run, question, verdict, approvalId ?? '', 0, { actor: metadata.actor, now: new Date(occurredAt) }, stageAs);
    return made.ok ? made.events.run : [];
  }
  if (verdict.route === 'deny') return denialEvents(question, verdict).run;
  return verdict.route === 'execute' ? [authorisedEvent(question, verdict, approvalId)] : [];
};

/** The words are the person's; the action and the facts they stand beside are the record's. When time answers, nothing is asked again. */
const answerEvents = (run: LiveRun, { data }: Extract<RecordedDecision, { type: 'ToolCallDenied' }>, question: Asked): readonly RunEvent[] => {
  const { callId, reason, rule, facts } = data;
  const call = Object.hasOwn(run.calls, callId) ? run.calls[callId] : undefined;
  if (reason === 'expired') return call?.status === 'parked' ? [deniedAsAsked(call.asked, { reason, rule, facts: (facts ?? {}) as Record<string, string> })] : [];
  return denialEvents(question, { route: 'deny', reason, rule, ...(facts !== undefined && { facts }) }).run;
};
