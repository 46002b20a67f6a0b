import type { Outcome } from '@app/kernel';
import type { CallContext } from '@app/tool-calls/contract';
import { ActingPrincipal, type Acting } from './acting-principal/acting-principal.query';
import type { Dispatch } from './core-skill';

/** Does something in the name of whoever acts in the call's run. */
export const acting = async <T>({ runId, context }: CallContext, { ask }: Dispatch, act: (acting: Acting) => Promise<Outcome<T>>): Promise<Outcome<T>> => {
  const found = await ask(new ActingPrincipal(runId, context.siteId));
  return found.ok ? act(found.data) : found;
};
