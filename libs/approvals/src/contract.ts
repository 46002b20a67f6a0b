export { approvalEvents, type ApprovalEvent } from './approval.events';
export { approval, type Approval } from './approval.state';
export { ApprovalDetail, ApprovalView } from './approval-list/approval.view';
export { DecideApproval, DecideApprovalBody, type DecidedApproval } from './decide-approval/decide-approval.command';
export { decideApproval } from './decide-approval/decide-approval.decide';
