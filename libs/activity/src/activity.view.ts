import { z } from 'zod';

/** What a site's people should hear of. The names are part of the contract: notifications and feeds choose by them. */
export const ACTIVITY_KINDS = ['veto.staged', 'auto_commit_partial', 'constitution.activated', 'review.escalated', 'mcp_control_plane_skill_denied', 'rule.suggested'] as const;

/** One entry of the feed: what happened, who did it, and where to look at it. */
export const ActivityView = z.object({
  id: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  /** The record it is about. */
  subjectId: z.string(),
  /** Path of the page on which a person looks at it. */
  deepLink: z.string(),
  actorId: z.string(),
  actorKind: z.enum(['human', 'agent', 'service']),
  runId: z.string().nullable(),
  detail: z.record(z.string(), z.json()),
  at: z.string(),
}).meta({ id: 'Activity' });
export type ActivityView = Readonly<z.infer<typeof ActivityView>>;
