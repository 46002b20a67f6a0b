import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { APPROVAL_STATUSES } from '../approval.events';
import type { Reviewer } from '../reviewer.policy';

const Words = z.string().trim().min(1).max(4_000);
export const AnswerApprovalBody = z.strictObject({ text: Words }).meta({ id: 'AnswerApproval' });
export const ExtendApprovalBody = z.strictObject({ until: z.iso.datetime({ offset: true }) }).meta({ id: 'ExtendApproval' });
export const DelegateApprovalBody = z.strictObject({ to: z.string().min(1).max(100), note: Words.optional() }).meta({ id: 'DelegateApproval' });
export const EscalateApprovalBody = z.strictObject({ reason: Words }).meta({ id: 'EscalateApproval' });

/** What a reviewer may do with an approval short of deciding it. */
export type ApprovalAct =
  | ({ readonly do: 'extend' } & z.infer<typeof ExtendApprovalBody>)
  | ({ readonly do: 'delegate' } & z.infer<typeof DelegateApprovalBody>)
  | ({ readonly do: 'escalate' } & z.infer<typeof EscalateApprovalBody>);

/** Where an approval stands after such an act: still pending. */
export const ActedApproval = z
  .object({ approvalId: z.string(), status: z.enum(APPROVAL_STATUSES), expiresAt: z.string(), assignedTo: z.string().nullable(), escalated: z.boolean() })
  .meta({ id: 'ActedApproval' });
export type ActedApproval = z.infer<typeof ActedApproval>;

export class ActOnApproval extends Command<Outcome<ActedApproval>> {
  constructor(
    readonly approvalId: string,
    readonly act: ApprovalAct,
    readonly context: Context,
    readonly reviewer: Reviewer,
  ) {
    super();
  }
}

/** Words of a reviewer for the agent whose call waits. The approval goes on waiting. */
export class AnswerApproval extends Command<Outcome<ActedApproval>> {
  constructor(
    readonly approvalId: string,
    readonly text: string,
    readonly context: Context,
    readonly reviewer: Reviewer,
  ) {
    super();
  }
}
