import { run as runAggregate, isFinished, type Run, type RunEvent } from '@app/runs/contract';
import { isDecision, type RecordedRunEvent } from './decision-event.policy';

/**
 * One run, folded event by event, that also knows the state before the append an event belongs to: a decision is taken on that state, and
 * the events of one append lie side by side. An append is a stretch of dense positions under one command id; it holds one decision at most.
 */
export class RunTrack {
  version = 0;
  /** What the state takes in memory, roughly. */
  bytes = 512;
  /** The state that everything in the latest append was decided on. */
  before: Run = runAggregate.initial;
  private state: Run = runAggregate.initial;
  private last: { readonly commandId: string; readonly position: bigint } | undefined;
  private hasDecided = false;

  get isFinished(): boolean {
    return isFinished(this.state);
  }

  /** Folds the next event in; tells whether it begins an append. */
  advance(event: RecordedRunEvent): boolean {
    const { metadata: { commandId }, position } = event;
    const decides = isDecision(event);
    const begins = this.last?.commandId !== commandId || this.last.position + 1n !== position || (decides && this.hasDecided);
    if (begins) {
      this.before = this.state;
      this.hasDecided = false;
    }
    this.hasDecided ||= decides;
    const lean = withoutResult(event);
    this.state = runAggregate.evolve(this.state, lean);
    this.bytes += JSON.stringify(lean.data).length;
    this.version = event.version;
    this.last = { commandId, position };
    return begins;
  }
}

/** What a tool answered may be half a megabyte and no decision looks at it. */
const withoutResult = (event: RunEvent): RunEvent => {
  if (event.type === 'ToolCallSucceeded') return { type: event.type, data: { ...event.data, result: null } };
  if (event.type === 'RunSucceeded') return { type: event.type, data: { stopReason: event.data.stopReason } };
  return event;
};
