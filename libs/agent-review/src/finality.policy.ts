import type { Settings } from '@app/governance/contract';

export type AgentVerdict = { readonly verdict: 'approve' | 'reject'; readonly confidence: number };
export type EscalationCause = 'rejected' | 'low_confidence' | 'quorum';

/** Why a verdict is left to a human; undefined when it decides. An agent is nobody's second person: a quorum is for people. */
export const escalationCause = (
  { verdict, confidence }: AgentVerdict,
  { agentReviewMinConfidence }: Pick<Settings, 'agentReviewMinConfidence'>,
  quorum: number,
): EscalationCause | undefined => {
  if (verdict === 'reject') return 'rejected';
  if (confidence < agentReviewMinConfidence) return 'low_confidence';
  return quorum > 1 ? 'quorum' : undefined;
};
