import type { PoliciesView, PolicyTestView, TestPoliciesBody } from '@app/policies/contract';
import type { Answer, Transport, WriteOptions } from './connection/transport';

export type PolicyRules = PoliciesView['rules'];
/** Cases with what is expected of them, for the given rules or for those in force. */
export type PolicyTests = TestPoliciesBody;
export type PolicyTest = PolicyTestView;

/** The argument policies of the site. */
export class Policies {
  constructor(private readonly transport: Transport) {}

  /** The rules in force. Needs `policies:read`. */
  get = (): Promise<Answer<PoliciesView>> => this.transport.read('/agent/policies');

  /** Runs cases against rules with the function that the door applies. Needs `policies:read`; changes nothing. */
  test = (tests: PolicyTests, options?: WriteOptions): Promise<Answer<PolicyTest>> => this.transport.write('POST', '/agent/policies/test', tests, options);
}
