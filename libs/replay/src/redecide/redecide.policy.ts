import { toolOf, type Matcher, type Site } from '@app/governance/contract';
import { callIn, type LiveRun, type RunEvent } from '@app/runs/contract';
import {
  authorisedEvent, decideToolCall, denialEvents, deniedAsAsked, requestToolCall, type Asked, type DoorInputs, type PrepareAction, type Verdict,
} from '@app/tool-calls/contract';
import { isAnswerOfPerson, type RecordedDecision } from './decision-event.policy';

/** The two things a decision is computed with that are compiled outside: both answer equal questions equally. */
export type Rules = { readonly prepare: PrepareAction; readonly matches: Matcher };

/** The world a decision was taken in: run and governance as they were just before its append. */
export type World = { readonly run: LiveRun; readonly site: Site; readonly governanceVersion: number };

/** A recorded decision in its world. */
export type Recalled = { readonly event: RecordedDecision; readonly world: World };

/** The door's verdict on a call in some world: the one it was asked in, or one with other rules. `inputs` are the facts that were looked up. */
export const verdictIn = ({ run, site }: World, { data, occurredAt }: RecordedDecision, inputs: DoorInputs, matches: Matcher): Verdict =>
  decideToolCall({ ...inputs, run, site, tool: toolOf(site, data.tool), arguments: data.arguments, now: new Date(occurredAt), matches });

/**
 * Decides a recorded call again, down to the digest of its action, and gives the run's events that the door would append from the decision
 * on. Ids that the door was given, such as that of an approval, and a person's answer are facts of the record, not results.
 */
export const redecide = ({ event, world }: Recalled, { prepare, matches }: Rules): readonly RunEvent[] => {
  const { run, site, governanceVersion } = world;
  const { callId, tool, arguments: input } = event.data;
  const { action, problems } = prepare({ siteId: event.siteId, runId: run.runId, callId, tool, arguments: input }, toolOf(site, tool));
  const { masked, argumentsHash, actionDigest, inputs } = event.data;
  // What was asked with secrets is known to nobody any more: hashes and schema check of it are facts of the record.
  const asked = masked ? { action: { callId, tool, arguments: input, masked, argumentsHash, actionDigest }, problems: inputs.argumentProblems } : { action, problems };
  const question: Asked = { action: asked.action, inputs: { ...inputs, argumentProblems: asked.problems }, governanceVersion, ...('sealed' in event.data && { sealed: event.data.sealed }), ...('handledBy' in event.data && { handledBy: event.data.handledBy }) };
  return eventsOf(run, event, question, verdictIn(world, event, question.inputs, matches));
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
  const call = callIn(run.calls, callId);
  if (reason === 'expired') return call?.status === 'parked' ? [deniedAsAsked(call.asked, { reason, rule, facts: (facts ?? {}) as Record<string, string> })] : [];
  return denialEvents(question, { route: 'deny', reason, rule, ...(facts !== undefined && { facts }) }).run;
};
