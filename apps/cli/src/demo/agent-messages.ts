import type { ImportProgress, ImportSummary } from './import-catalogue';

/** What the agent process tells the one that started it. */
export type AgentMessage =
  | { readonly kind: 'run'; readonly runId: string }
  | ({ readonly kind: 'progress' } & ImportProgress)
  | { readonly kind: 'done'; readonly summary: ImportSummary }
  | { readonly kind: 'failed'; readonly detail: string };
