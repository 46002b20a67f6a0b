import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, toolOf } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import { missing, reject, type Outcome } from '@app/kernel';
import { lintPolicies } from '../lint-policies.policy';
import { lintFactsOf } from '../site-facts';
import type { PolicyTestView } from './policy-test.view';
import { runCase } from './run-case.policy';
import { TestPolicies } from './test-policies.query';

@QueryHandler(TestPolicies)
export class TestPoliciesHandler implements IQueryHandler<TestPolicies> {
  constructor(private readonly executor: Executor) {}

  async execute({ siteId, body, now }: TestPolicies): Promise<Outcome<PolicyTestView>> {
    const { state, position } = await this.executor.current(governance, siteId);
    if (state.status === 'none') return missing();
    const rules = body.rules ?? state.policies;
    const { faults, warnings } = lintPolicies(rules, lintFactsOf(state));
    const unknown = body.cases.flatMap(({ tool }, nr) => (toolOf(state, tool) ? [] : [{ pointer: `/cases/${nr}/tool`, detail: `No tool of the name ${tool} is on this site` }]));
    // A pattern that cannot be compiled cannot be tried out either.
    const untestable = [...unknown, ...faults.filter(({ pointer }) => pointer.endsWith('/matches'))];
    if (untestable.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'These cases cannot be run.', { errors: untestable });
    const results = body.cases.map((asked) => runCase(rules, toolOf(state, asked.tool)!, asked, now, matchesPattern));
    const passed = results.filter((result) => result.passed).length;
    return { ok: true, data: { passed, failed: results.length - passed, results, faults: [...faults], warnings: [...warnings] }, position };
  }
}
