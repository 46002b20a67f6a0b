import type { Deferral } from '@app/tool-calls/contract';
import type { Intent } from '../intent.state';
import { isOpen, nextOpening } from '../schedule/maintenance-window.policy';

/** Work that an intent brought forth waits for the intent's windows, call by call. */
export const windowDeferral = (intent: Intent, now: Date): Deferral | null => {
  const window = intent.status === 'live' ? intent.definition.maintenanceWindow : undefined;
  if (window === undefined || isOpen(window, now)) return null;
  return { reason: 'outside_maintenance_window', rule: 'maintenance_window', retryAfterMs: nextOpening(window, now).getTime() - now.getTime() };
};
