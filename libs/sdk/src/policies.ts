import type { PoliciesView, PolicyTestView, PutPoliciesBody, TestPoliciesBody } from '@app/policies/contract';
import type { InputOf } from './connection/input-of';
import type { Answer, Transport, WriteOptions } from './connection/transport';

export type PolicyRules = PoliciesView['rules'];
/** All rules, in the order in which they are asked. */
export type NewPolicies = InputOf<typeof PutPoliciesBody>;
/** Cases with what is expected of them, for the given rules or for those in force. */
export type PolicyTests = InputOf<typeof TestPoliciesBody>;
export type PolicyTest = PolicyTestView;

/** The argument policies of the site. */
export class Policies {
  constructor(private readonly transport: Transport) {}

  /** The rules in force. Needs `policies:read`. */
  get = (): Promise<Answer<PoliciesView>> => this.transport.read('/agent/policies');

  /** Puts these rules in place of all there are. Needs `policies:write`. `warnings` says what looks odd about them. */
  put = (policies: NewPolicies, options?: WriteOptions): Promise<Answer<PoliciesView>> => this.transport.write('PUT', '/agent/policies', policies, options);

  /** Runs cases against rules with the function that the door applies. Needs `policies:read`; changes nothing. */
  test = (tests: PolicyTests, options?: WriteOptions): Promise<Answer<PolicyTest>> => this.transport.write('POST', '/agent/policies/test', tests, options);
}
