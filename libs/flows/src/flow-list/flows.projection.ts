import { projection } from '@app/projections/contract';
import type { FlowEvent } from '../flow.events';
import { flow, type Flow } from '../flow.state';

export type FlowRow = { readonly id: string; readonly siteId: string; readonly name: string; readonly flow: Flow };

const next = (row: FlowRow | null, event: FlowEvent): FlowRow | null => {
  const state = flow.evolve(row?.flow ?? flow.initial, event);
  return state.status === 'live' ? { id: state.flowId, siteId: state.siteId, name: state.name, flow: state } : null;
};

/** The flows of a site that were not deleted, each as its stream folds. */
export const flows = projection<FlowRow, FlowEvent>({
  name: 'flows',
  version: 1,
  columns: { name: 'text', flow: 'jsonb' },
  on: { FlowDefined: next, FlowChanged: next, FlowDeleted: next, FlowStarted: next, FlowRan: next },
});
