import { Injectable } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import { callIn, isOpened, recordOf, type Call, type OpenCall, type Run, type RunEvent, type SettledCall } from '@app/runs/contract';

const isOpen = (call: OpenCall | SettledCall): call is OpenCall => call.status === 'authorised' || call.status === 'parked' || call.status === 'deferred' || call.status === 'indeterminate';

/** The full records of calls: a run remembers of a settled call only where in the log it stands. */
@Injectable()
export class CallRecords {
  constructor(private readonly store: EventStore) {}

  /** `told` are events of the run that are at hand; what they do not tell is read from the log. */
  async of(run: Run, callId: string, told: readonly RunEvent[] = []): Promise<Call> {
    const call = isOpened(run) ? callIn(run.calls, callId) : undefined;
    if (!call || !isOpened(run)) throw new Error(`Call ${callId} is not on record`);
    if (isOpen(call)) return call;
    const known = recordOf(call, told);
    if (known) return known;
    const read: RunEvent[] = [];
    for (const version of [call.at, call.outcomeAt]) if (version !== undefined) read.push(await this.eventAt(run.runId, version));
    const found = recordOf(call, read);
    if (!found) throw new Error(`The record of call ${callId} of run ${run.runId} is not where the run says it is`);
    return found;
  }

  private async eventAt(runId: string, version: number): Promise<RunEvent> {
    for await (const event of this.store.read(`run-${runId}`, version)) return event as unknown as RunEvent;
    throw new Error(`Run ${runId} has no event of version ${version}`);
  }
}
