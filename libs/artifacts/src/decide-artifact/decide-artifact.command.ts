import type { DecideApprovalBody, DecidedApproval, Reviewer } from '@app/approvals/contract';
import { Command, type Context, type Outcome } from '@app/kernel';

/** A person's word on an approval of kind `artifact`. */
export class DecideArtifact extends Command<Outcome<DecidedApproval>> {
  constructor(
    readonly approvalId: string,
    readonly body: DecideApprovalBody,
    readonly context: Context,
    readonly reviewer: Reviewer,
  ) {
    super();
  }
}
