export { approvalEvents } from './approval.events';
export { approvals } from './approval-list/approvals.projection';
export { questionExpiry } from './expire-approval/question-expiry';
export { ApprovalsModule } from './approvals.module';
