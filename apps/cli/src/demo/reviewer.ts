import { HarnessError, type Harness } from '@app/sdk';

export type Review = { readonly approvalId: string; readonly tool: string; readonly status: string };

export const REASON = 'A test article has no place in the shop.';

/**
 * The second principal. Watches the live feed for requests of one run and approves the deletions among them, naming the digest of what was
 * looked at; everything else is rejected. Ends when the signal aborts.
 */
export const reviewDeletions = async (
  harness: Harness,
  runId: Promise<string>,
  after: string | undefined,
  signal: AbortSignal,
  onReview: (review: Review) => void,
): Promise<void> => {
  for await (const { data, position } of harness.audit.stream({ types: ['ApprovalRequested'], after, signal })) {
    if (data['runId'] !== (await runId)) continue;
    const { id, tool, actionDigest } = await harness.approvals.get(String(data['approvalId']), { minPosition: position, signal });
    const decision = tool === 'deleteItem' ? 'approved' : 'rejected';
    const reason = decision === 'approved' ? REASON : 'Only deletions are expected here.';
    const status = await harness.approvals
      .decide(id, { decision, reason, actionDigest })
      .then(({ data: decided }) => decided.status, alreadyDecided);
    onReview({ approvalId: id, tool: tool ?? '', status });
  }
};

/** Somebody else may be faster, in Studio for example; their answer counts. */
const alreadyDecided = (error: unknown): string => {
  if (error instanceof HarnessError && error.code === 'ALREADY_DECIDED') return String(error.facts['status'] ?? 'decided');
  throw error;
};
