/** What other capabilities and the clients may know. */
export { CheckpointView } from './audit-checkpoints/checkpoint.view';
export { AuditEventView, auditEventView } from './audit-events/audit-event.view';
export { AuditEventsFilter, ListAuditEvents, type AuditEventsPage } from './audit-events/list-audit-events.query';
export { GetProof } from './audit-proof/get-proof.query';
export { ProofView } from './audit-proof/proof.view';
export { ListCheckpoints, type CheckpointsPage } from './audit-checkpoints/list-checkpoints.query';
export { VerifyLog, type LogVerdict, type VerifyStep } from './verify-log/verify-log.query';
