/** An event type, what its streams are of, and its data. */
type Happened = { readonly type: string; readonly category: string; readonly data: unknown };

const INCIDENTS: Readonly<Record<string, number>> = { low: 6, medium: 8, high: 9 };
/** Changes of who may do what: not wrong, and what an auditor asks for first. */
const RULES = new Set(['governance', 'principal', 'user', 'constitution', 'promotion']);

/**
 * How much somebody who watches should care, from 0 to 10 as CEF counts: 9 an incident that hurts, 8 one that might, or a freeze · 7 trust that was taken back, an attempt at the
 * controls, a run that nobody could finish · 6 what was refused or is in doubt · 5 what failed, and what changes the rules · 4 what takes something away · 2 everything else.
 */
export const severityOf = ({ type, category, data }: Happened): number => {
  if (type === 'IncidentOpened') return INCIDENTS[(data as { severity?: string } | null)?.severity ?? ''] ?? 8;
  if (type === 'ScopeFrozen') return 8;
  if (/^(AutonomyDemoted|ControlPlaneSkillDenied|RunDeadLettered)$/.test(type)) return 7;
  if (/^(ToolCallDenied|ToolCallIndeterminate|ApprovalRejected|StagingVetoed)$/.test(type)) return 6;
  if (RULES.has(category) || /(Failed|Broken|Expired)$/.test(type)) return 5;
  return /(Deleted|Removed|Revoked|Redacted|Forgotten)$/.test(type) ? 4 : 2;
};

/** Whether what was attempted came about. */
export const outcomeOf = (type: string): 'success' | 'failure' =>
  /(Denied|Failed|Rejected|Vetoed|Broken|Expired|Lost|Abandoned|DeadLettered|Indeterminate)$/.test(type) ? 'failure' : 'success';
