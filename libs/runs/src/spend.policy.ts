import type { Spent } from './budget.schema';

/** What a run has spent, and something more. */
export const spend = (spent: Spent, toolCalls: number, runtimeMs: number, costUsd: number, artifactBytes: number): Spent => ({
  toolCalls: spent.toolCalls + toolCalls,
  runtimeMs: sum(spent.runtimeMs, runtimeMs),
  costUsd: sum(spent.costUsd, costUsd),
  artifactBytes: spent.artifactBytes + artifactBytes,
});

/** To the millionth, so that adding tenths never shows as 0.30000000000000004. */
const sum = (a: number, b: number) => Math.round((a + b) * 1e6) / 1e6;
