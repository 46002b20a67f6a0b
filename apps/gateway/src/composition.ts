import { approvalEvents, approvals } from '@app/approvals';
import { auditProjections } from '@app/audit';
import { contentEvents, contentProjections } from '@app/content';
import { goalEvents, goals } from '@app/goals';
import { governanceEvents } from '@app/governance';
import { Catalogue } from '@app/kernel';
import type { AnyProjection } from '@app/projections';
import { runEvents, runs } from '@app/runs';
import { apiKeys, principalEvents } from '@app/sites';

/** Every event type of the product. */
export const catalogue = new Catalogue(governanceEvents, principalEvents, goalEvents, runEvents, approvalEvents, ...contentEvents);

/** Every read model of the product. */
export const projections = [apiKeys, goals, runs, approvals, ...contentProjections, ...auditProjections] as readonly AnyProjection[];
