import type { Matcher, Site } from '@app/governance/contract';
import { isAnswerOfPerson } from '../redecide/decision-event.policy';
import { verdictIn, type Recalled } from '../redecide/redecide.policy';
import type { Stretch } from '../redecide/replay-walk';
import type { BacktestStep } from './backtest.query';
import type { BacktestDifference } from './backtest.view';
import { withCandidate } from './candidate.policy';
import type { Candidate } from './candidate.schema';
import { isOtherDecision, outcomeOf, recordedOutcome } from './outcome.view';

/** The steps of a backtest from the stretches of a walk. A walk that was aborted leaves no result. */
export async function* backtested(walk: AsyncIterable<Stretch>, candidate: Candidate, matches: Matcher, signal?: AbortSignal): AsyncGenerator<BacktestStep, void, undefined> {
  const ask = asking(candidate, matches);
  let examined = 0;
  let differing = 0;
  let forgotten = 0;
  let position = 0n;
  for await (const stretch of walk) {
    for (const recalled of stretch.decisions) {
      if (isAnswerOfPerson(recalled.event)) continue;
      examined++;
      const data = ask(recalled);
      if (!data) continue;
      differing++;
      yield { step: 'difference', data };
    }
    position = stretch.position;
    forgotten += stretch.forgotten;
    yield { step: 'progress', data: { position: String(position), head: String(stretch.head), examined, differing } };
  }
  if (!signal?.aborted) yield { step: 'result', data: { examined, differing, ...(forgotten > 0 && { forgotten }), position: String(position) } };
}

/** The candidate's rules over those of a moment are made once per change of governance, not once per decision. */
const asking = (candidate: Candidate, matches: Matcher) => {
  let site: Site | undefined;
  let changed: Site | undefined;
  return ({ event, world }: Recalled): BacktestDifference | undefined => {
    if (site !== world.site || !changed) [site, changed] = [world.site, withCandidate(world.site, candidate)];
    const { inputs } = event.data;
    const recorded = recordedOutcome(event, () => verdictIn(world, event, inputs, matches));
    const instead = outcomeOf(verdictIn({ ...world, site: changed }, event, inputs, matches));
    return isOtherDecision(recorded, instead) ? differenceOf({ event, world, recorded, candidate: instead }) : undefined;
  };
};

const differenceOf = ({ event, world, recorded, candidate }: Recalled & Pick<BacktestDifference, 'recorded' | 'candidate'>): BacktestDifference => {
  const { eventId, streamId, type, occurredAt, data: { callId, tool } } = event;
  const { runId } = world.run;
  const position = String(event.position);
  return {
    event: { position, eventId, streamId, type, occurredAt }, runId, callId, tool, recorded, candidate, link: `/api/v1/agent/runs/${runId}/at?position=${position}`,
  };
};
