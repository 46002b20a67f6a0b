export { ChangeFlow, ChangeFlowBody } from './change-flow/change-flow.command';
export { DefineFlow, DefineFlowBody } from './define-flow/define-flow.command';
export { DeletedFlow, DeleteFlow } from './delete-flow/delete-flow.command';
export { flowEvents, type FlowEvent } from './flow.events';
export { GetFlow, ListFlows } from './flow-list/flow-queries.query';
export { FlowView } from './flow-list/flow.view';
export { FlowOperation, FlowTrigger } from './flow.schema';
export { flow, type Flow } from './flow.state';
export { StartedFlow, StartFlow } from './start-flow/start-flow.command';
