import { isTimeZone } from '@app/cron/contract';
import { freezeOf, intentStatus, type Governance } from '@app/governance/contract';
import { accept, missing, reject, type Decision, type Rejected } from '@app/kernel';
import { liveIntent } from '../checked-definition.policy';
import type { CYCLE_TRIGGERS, IntentEvent } from '../intent.events';
import type { Intent } from '../intent.state';
import { isOpen, nextOpening } from '../schedule/maintenance-window.policy';

/** Why a cycle does nothing. `running`: another one is at work; `done`: this very firing had its cycle. */
export const SKIPPED = ['paused', 'error', 'frozen', 'outside_maintenance_window', 'running', 'done'] as const;
export type Skipped = (typeof SKIPPED)[number];

export type Firing = { readonly trigger: (typeof CYCLE_TRIGGERS)[number]; readonly dueAt: Date | null; readonly now: Date };

/** A cycle that has not ended by then has lost its worker: scans stop after 10 s, one look at links takes 5 s more. */
export const CYCLE_LEASE_MS = 60_000;

/** A skip is a rejection with these facts. */
export const skippedBy = ({ rejection: { facts } }: Rejected): { readonly reason: Skipped; readonly opensAt?: string } | undefined =>
  facts !== undefined && SKIPPED.includes(facts['skipped'] as Skipped)
    ? { reason: facts['skipped'] as Skipped, ...(typeof facts['opensAt'] === 'string' && { opensAt: facts['opensAt'] }) }
    : undefined;

const skip = (reason: Skipped, detail: string, more: Readonly<Record<string, unknown>> = {}) => reject('conflict', 'CONFLICT', detail, { skipped: reason, ...more });

/**
 * Opens a cycle, or goes on with the one of the same firing when its worker was lost: what that one brought forth counts. Nothing arises
 * while the intent, its site or its windows say so; the guards make that true for the append as well.
 */
export const startCycle = (
  { intent, governance }: { readonly intent: Intent; readonly governance: Governance },
  siteId: string,
  { trigger, dueAt, now }: Firing,
): Decision<{ readonly intent: readonly IntentEvent[] }> => {
  if (governance.status === 'none') return missing();
  const found = liveIntent(intent, siteId);
  if (!found.ok) return found;
  const { intentId, definition, last, cursor } = found.intent;
  const due = dueAt?.toISOString() ?? null;
  const sameFiring = due !== null && last?.dueAt === due;
  if (sameFiring && !last.running) return skip('done', 'This firing of the schedule had its cycle.');
  if (last?.running && now.getTime() < Date.parse(last.startedAt) + CYCLE_LEASE_MS) return skip('running', 'A cycle of this intent is at work; wait for it.');
  const status = intentStatus(governance, intentId);
  if (status !== 'active') return skip(status, status === 'paused' ? 'This intent is paused.' : 'This intent broke: resume it when its cause is gone.');
  if (freezeOf(governance, { intentId })) return skip('frozen', 'The site is frozen: nothing arises until somebody lifts the freeze.');
  const window = definition.maintenanceWindow;
  if (!isOpen(window, now)) return skip('outside_maintenance_window', 'No maintenance window is open.', { opensAt: nextOpening(window!, now).toISOString() });
  if (sameFiring) return accept({ intent: [] });
  const cycle = (last?.cycle ?? 0) + 1;
  const at = now.toISOString();
  const started: IntentEvent = { type: 'DriftScanStarted', data: { cycle, trigger, dueAt: due, cursor, at } };
  if (window === undefined || isTimeZone(window.tz)) return accept({ intent: [started] });
  const detail = `Nobody knows the time zone ${window.tz}: the maintenance windows count for nothing`;
  return accept({ intent: [started, { type: 'IntentWarned', data: { warning: 'unknown_time_zone', detail, cycle, at } }] });
};
