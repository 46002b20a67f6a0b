import { Injectable } from '@nestjs/common';
import { approval as approvalAggregate, DecideApproval, reviewerOf } from '@app/approvals/contract';
import { Bus } from '@app/cqrs';
import { canonicalJson, Executor } from '@app/event-store';
import type { Site } from '@app/governance/contract';
import type { Caller } from '@app/http';
import { reject, type Outcome } from '@app/kernel';
import { ToolCallAnswer } from '@app/tool-calls/contract';
import { Vault } from '@app/vault';
import { createRequestStateCodec, inputRequired, inputResponse, type InputRequiredResult, type RequestStateCodec } from '@modelcontextprotocol/server';
import { createHash } from 'node:crypto';
import { WaitingCalls } from '../approval-status/waiting-calls';
import { Asked, Decision, FORM, mayDecideInClient, questionOf } from './question.policy';

/** The name under which the vault keeps the secret that questions are signed with. */
const KEPT_AS = 'mcp-questions';
const ANSWER_WITHIN_S = 600;
const QUESTION = 'approval';

export type Asking = { readonly caller: Caller; readonly site: Site; readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

/**
 * Lets a person who may decide say so in the client that asked. The client only carries the question there and back: who decides is the principal
 * that sends the answer, and what is decided is the approval on the server, by the same command as over REST.
 */
@Injectable()
export class InClientApprovals {
  private made: Promise<RequestStateCodec<Asked>> | undefined;

  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
    private readonly vault: Vault,
    private readonly waiting: WaitingCalls,
  ) {}

  /** Signs with a secret that all processes on the database share, so that any of them takes the answer. */
  codec(): Promise<RequestStateCodec<Asked>> {
    const made = (this.made ??= this.vault.pepper(KEPT_AS).then((key) => createRequestStateCodec<Asked>({ key, ttlSeconds: ANSWER_WITHIN_S })));
    made.catch(() => (this.made = undefined));
    return made;
  }

  /** Undefined when the caller may not decide, or has to see the action elsewhere. */
  async question(asking: Asking, { approvalId, callId, actionDigest }: ToolCallAnswer, runId: string): Promise<InputRequiredResult | undefined> {
    const { caller, site } = asking;
    if (approvalId === undefined || actionDigest === undefined || !mayDecideInClient(site, caller.principal)) return undefined;
    const message = questionOf((await this.executor.current(approvalAggregate, approvalId)).state);
    if (message === undefined) return undefined;
    const asked: Asked = { approvalId, runId, callId, actionDigest, principalId: caller.principal.id, siteId: caller.siteId, request: requestOf(asking) };
    return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema: FORM }) }, requestState: await (await this.codec()).mint(asked) });
  }

  /** What became of the call once the answer is in. Undefined when it is an answer to another question than this caller's about this call. */
  async answered(asking: Asking, state: unknown, responses: Readonly<Record<string, unknown>> | undefined): Promise<Outcome<ToolCallAnswer> | undefined> {
    const { caller, site } = asking;
    const asked = Asked.safeParse(state);
    if (!asked.success) return undefined;
    const { approvalId, actionDigest, principalId, siteId, request, ...call } = asked.data;
    if (principalId !== caller.principal.id || siteId !== caller.siteId || request !== requestOf(asking)) return undefined;
    const given = inputResponse(responses, QUESTION);
    const decision = given.kind === 'elicit' && given.action === 'accept' ? Decision.safeParse(given.content) : undefined;
    if (!decision?.success) return this.waiting.answer({ ...call, approvalId }, caller);
    if (!mayDecideInClient(site, caller.principal)) return reject('forbidden', 'FORBIDDEN', 'You may not decide this here; somebody else has to.');
    const context = caller.context('decide');
    const body = bodyOf(decision.data, actionDigest);
    const decided = await this.bus.send(new DecideApproval(approvalId, body, context, reviewerOf(caller.principal, context.actor, 'mcp')));
    if (!decided.ok) return decided;
    const answer = ToolCallAnswer.safeParse(decided.data.call);
    return answer.success ? { ...decided, data: answer.data } : this.waiting.answer({ ...call, approvalId }, caller);
  }
}

const bodyOf = ({ decision, reason = '' }: { readonly decision: 'approve' | 'reject'; readonly reason?: string | undefined }, actionDigest: string) =>
  decision === 'approve'
    ? { decision: 'approved' as const, actionDigest, ...(reason !== '' && { reason }) }
    : { decision: 'rejected' as const, actionDigest, reason: reason === '' ? 'Rejected in the client that asked' : reason };

const requestOf = ({ tool, input }: Asking) => createHash('sha256').update(canonicalJson([tool, input])).digest('hex');
