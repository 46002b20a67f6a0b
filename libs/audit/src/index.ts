import { auditEvents } from './audit-events/audit-event.projection';

export { AuditModule, type AuditOptions } from './audit.module';

/** The read models this capability keeps. */
export const auditProjections = [auditEvents] as const;
