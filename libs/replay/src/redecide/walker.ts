import { canonicalJson } from '@app/event-store';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import type { Event, Recorded } from '@app/kernel';
import { isLive, type RunEvent } from '@app/runs/contract';
import type { LogReads } from '../log-reads';
import { isDecision, type RecordedDecision, type RecordedRunEvent } from './decision-event.policy';
import { fieldDifferences } from './differences.policy';
import type { ReplayMismatch } from './mismatch.view';
import { RecentRuns } from './recent-runs';
import { redecide, type Recalled, type Rules } from './redecide.policy';
import { RunTrack } from './run-track';

/** `forgotten` are decisions on inputs that nobody can read any more: they are not taken again. */
export type Found = { readonly decisions: readonly Recalled[]; readonly mismatches: readonly ReplayMismatch[]; readonly forgotten: number };
export type WalkerOptions = {
  /** With them, every decision is taken again and compared with the record. */
  readonly rules?: Rules | undefined;
  readonly isWanted?: (event: Recorded) => boolean;
  readonly maxBytes?: number;
};

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Walks the events of one site in log order and finds for every decision of its runs the world it was taken in. Governance is folded once; runs are folded as they
 * come and forgotten when they end. Beyond 64 MB of runs the ones not touched for longest are forgotten too: they are read again from their
 * own streams if they ever decide something.
 */
export class Walker {
  private governance: Governance = governance.initial;
  private governanceVersion = 0;
  private readonly runs: RecentRuns;
  /** What the append of the latest decision must still bring: its events lie side by side in the log. */
  private due: { readonly of: RecordedDecision; readonly events: readonly RunEvent[] } | undefined;
  private decisions: Recalled[] = [];
  private mismatches: ReplayMismatch[] = [];
  private forgotten = 0;

  private readonly rules: Rules | undefined;
  private readonly isWanted: (event: Recorded) => boolean;

  constructor(private readonly log: Pick<LogReads, 'read'>, { rules, isWanted = () => true, maxBytes = MAX_BYTES }: WalkerOptions = {}) {
    this.rules = rules;
    this.isWanted = isWanted;
    this.runs = new RecentRuns(maxBytes);
  }

  /** The next event of the site's governance or runs. A promise only when a run has to be read first. */
  feed(event: Recorded): Promise<void> | undefined {
    if (event.streamId.startsWith('governance-')) {
      this.governance = governance.evolve(this.governance, event as unknown as Recorded<GovernanceEvent>);
      this.governanceVersion = event.version;
      return undefined;
    }
    const mine = event as unknown as RecordedRunEvent;
    const track = this.runs.get(event.streamId) ?? (event.version === 1 ? new RunTrack() : undefined);
    if (track?.version === event.version - 1) return this.step(track, mine);
    return isDecision(mine) ? this.loaded(mine) : undefined;
  }

  /** What was found since the last time. */
  take(): Found {
    const found = { decisions: this.decisions, mismatches: this.mismatches, forgotten: this.forgotten };
    [this.decisions, this.mismatches, this.forgotten] = [[], [], 0];
    return found;
  }

  /** Call it after the last event. */
  end(): void {
    this.missing();
  }

  private step(track: RunTrack, event: RecordedRunEvent): undefined {
    const begins = track.advance(event);
    if (begins) this.missing();
    else this.follows(event);
    if (isDecision(event) && this.isWanted(event)) {
      if (event.forgotten) this.forgotten++;
      else this.decide(event, track);
    }
    if (track.isFinished) this.runs.forget(event.streamId);
    else this.runs.keep(event.streamId, track);
  }

  private async loaded(event: RecordedDecision): Promise<void> {
    const track = new RunTrack();
    for await (const earlier of this.log.read(event.streamId)) {
      if (earlier.version >= event.version) break;
      track.advance(earlier as unknown as RecordedRunEvent);
    }
    this.step(track, event);
  }

  private decide(event: RecordedDecision, { before: run }: RunTrack): void {
    const { governance: site, governanceVersion } = this;
    if (!isLive(run) || site.status === 'none') {
      this.differs(event, isLive(run) ? 'The site had no governance yet, so nothing could be decided.' : 'The run was not open, so nothing could be decided.');
      return;
    }
    const recalled = { event, world: { run, site, governanceVersion } };
    this.decisions.push(recalled);
    if (!this.rules) return;
    const [decision, ...rest] = redecide(recalled, this.rules);
    this.compare(event, event, decision);
    this.due = { of: event, events: rest };
  }

  /** An event of the append that the latest decision began. What a person's answer adds beyond the decision is not the door's. */
  private follows(event: RecordedRunEvent): void {
    const [next, ...rest] = this.due?.events ?? [];
    if (!this.due || !next || isDecision(event)) return;
    this.compare(event, this.due.of, next);
    this.due = { of: this.due.of, events: rest };
  }

  private missing(): void {
    const { of, events: [next] = [] } = this.due ?? {};
    if (of && next) this.differs(of, `The door would have added ${next.type} to this append, and the log has none.`);
    this.due = undefined;
  }

  private compare(event: RecordedRunEvent, { data: { callId } }: RecordedDecision, replayed: RunEvent | undefined): void {
    if (!replayed) return this.differs(event, 'The door would have recorded nothing here.', undefined, callId);
    if (replayed.type !== event.type) return this.differs(event, `The door would have recorded ${replayed.type} here.`, replayed, callId);
    if (canonicalJson(event.data) !== canonicalJson(replayed.data)) this.differs(event, 'The same question gives another answer than the recorded one.', replayed, callId);
  }

  private differs(event: RecordedRunEvent, detail: string, replayed?: Event, callId = (event as RecordedDecision).data.callId): void {
    const { position, streamId, version, eventId, type, data } = event;
    // As JSON, so that an absent field and one without a value are the same.
    const differences = replayed ? fieldDifferences(data, JSON.parse(canonicalJson(replayed.data))) : [];
    this.mismatches.push({ position: String(position), streamId, version, eventId, type, callId, detail, differences: differences as ReplayMismatch['differences'] });
  }
}
