export { approvalEvents } from './approval.events';
export { approvals } from './approval-list/approvals.projection';
export { ApprovalsModule } from './approvals.module';
