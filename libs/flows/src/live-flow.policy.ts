import { missing, reject, type Rejected } from '@app/kernel';
import type { Flow, KnownFlow } from './flow.state';

/** A flow of this site that was not deleted, or why there is none. */
export const liveFlow = (state: Flow, siteId: string): { readonly ok: true; readonly flow: KnownFlow } | Rejected => {
  if (state.status === 'none' || state.siteId !== siteId) return missing();
  if (state.status === 'deleted') return reject('gone', 'GONE', 'This flow was deleted.');
  return { ok: true, flow: state };
};
