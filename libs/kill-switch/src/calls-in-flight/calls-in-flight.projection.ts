import { idOf } from '@app/kernel';
import { projection } from '@app/projections/contract';
import type { RunEvent } from '@app/runs/contract';
import type { CallInFlightRow } from './call-in-flight.view';

/** One row for each handler that may be running: it comes with the authorisation and goes with the outcome. */
export const callsInFlight = projection<CallInFlightRow, RunEvent>({
  name: 'calls_in_flight',
  version: 3,
  columns: { runId: 'text', callId: 'text', tool: 'text', authorisedAt: 'text', handledBy: 'text' },
  indexes: [['runId']],
  rowIds: ({ streamId, data }) => ('callId' in data ? [`${idOf(streamId)}/${data.callId}`] : []),
  on: {
    ToolCallAuthorised: (_row, { siteId, streamId, occurredAt, data: { callId, tool, handledBy } }, id) =>
      ({ id, siteId, runId: idOf(streamId), callId, tool, authorisedAt: occurredAt, handledBy: handledBy ?? null }),
    ToolCallSucceeded: () => null,
    ToolCallFailed: () => null,
    ToolCallIndeterminate: () => null,
    // A call of a lost worker is decided again, and the door may have other rules by then.
    ToolCallDenied: () => null,
    ToolCallParked: () => null,
    ToolCallDeferred: () => null,
  },
});
