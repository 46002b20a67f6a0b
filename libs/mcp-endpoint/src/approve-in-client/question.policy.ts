import type { Approval } from '@app/approvals/contract';
import type { Site } from '@app/governance/contract';
import { may, type Principal } from '@app/kernel';
import { z } from 'zod';

/** What came back has to be about: it goes through the client, signed, and is compared with the request that brings it. */
export const Asked = z.strictObject({ approvalId: z.string(), runId: z.string(), callId: z.string(), actionDigest: z.string(), principalId: z.string(), siteId: z.string(), request: z.string() });
export type Asked = z.infer<typeof Asked>;

/** What a person fills in. Nothing of it is believed of anybody but the authenticated principal that sends it. */
export const Decision = z.object({ decision: z.enum(['approve', 'reject']), reason: z.string().trim().max(2_000).optional() });

/** Longer ones are looked at in the Studio: what is approved must have been shown whole. */
const MAX_SHOWN = 3_000;

/** People alone, with the right to decide, with a key of their own, and only where somebody may decide what they themselves asked for. */
export const mayDecideInClient = (site: Site, principal: Principal): boolean =>
  principal.kind === 'human' && principal.onlyRun === undefined && may(principal, 'approvals:decide') && !site.settings.separationOfDuties;

const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const visible = (text: string) => text.replace(UNSAFE, (char) => (char === '\n' ? char : `\\u{${char.codePointAt(0)!.toString(16)}}`));

/** The question in words; undefined when the action is too long to be shown in whole, or is none that is waited for. */
export const questionOf = (approval: Approval): string | undefined => {
  if (approval.status !== 'pending') return undefined;
  const { subject, tool, arguments: input, policy, quorum } = approval.request;
  const shown = visible(JSON.stringify(input, null, 2));
  if (shown.length > MAX_SHOWN) return undefined;
  return [`Approve ${visible(subject)}?`, `Tool: ${visible(tool ?? '')}, asked because of ${visible(policy)}.${quorum > 1 ? ` ${quorum} people have to agree.` : ''}`, `Arguments: ${shown}`].join('\n');
};

/** A form that a client shows; `reject` without a reason gets one, because the record wants it. */
export const FORM = {
  type: 'object' as const,
  properties: {
    decision: { type: 'string' as const, title: 'Decision', enum: ['approve', 'reject'] },
    reason: { type: 'string' as const, title: 'Reason', description: 'Told to the agent and kept', maxLength: 2_000 },
  },
  required: ['decision'],
};
