import type { Step } from './step.schema';

/** Steps that somebody wants carried out, and the goal and run that will do it. */
export type Undertaking = { readonly workId: string; readonly goalId: string; readonly runId: string; readonly principalId: string; readonly steps: readonly Step[] };
