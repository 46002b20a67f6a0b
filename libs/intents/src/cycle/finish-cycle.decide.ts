import { accept, type Decision } from '@app/kernel';
import type { IntentEvent } from '../intent.events';
import type { Intent } from '../intent.state';
import { isCurrent } from './observe-item.decide';

/** What a cycle counted while it ran. */
export type Counted = { readonly scanned: number; readonly found: number; readonly resolved: number; readonly cursor: string | null };

export const finishCycle = ({ intent }: { readonly intent: Intent }, cycle: number, { scanned, found, resolved, cursor }: Counted, now: Date): Decision<{ readonly intent: readonly IntentEvent[] }> => {
  if (!isCurrent(intent, cycle)) return accept({ intent: [] });
  const { goals } = intent.last!;
  const open = intent.drifts.count;
  return accept({ intent: [{ type: 'DriftScanFinished', data: { cycle, scanned, found, resolved, goals, open, cursor, at: now.toISOString() } }] });
};
