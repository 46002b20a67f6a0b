import { describe, it } from '@jest/globals';
import { governance, PolicyRule, type GovernanceEvent } from '@app/governance/contract';
import { specification } from '@app/kernel/testing';
import { addPolicy } from './add-policy/add-policy.decide';
import type { LintFacts } from './lint-policies.policy';
import { removePolicy } from './remove-policy/remove-policy.decide';

const given = specification(governance);
const facts: LintFacts = { tools: ['createItem', 'updateItem', 'deleteItem'], roles: [], patternProblem: () => null };
const rule = (name: string, tool: string) => PolicyRule.parse({ name, when: { tool }, then: { do: 'ask' } });
const [create, update, remove] = [rule('create', 'createItem'), rule('update', 'updateItem'), rule('delete', 'deleteItem')];
const site: GovernanceEvent = { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } };
const rules = (...those: PolicyRule[]): GovernanceEvent => ({ type: 'PolicyChanged', data: { rules: those } });

describe('One rule among those of a site', () => {
  it('is added at the end, or before another; the others keep their order', () => {
    given(site, rules(create, update)).when((state) => addPolicy(state, { rule: remove }, facts)).then({ governance: [rules(create, update, remove)] });
    given(site, rules(create, update)).when((state) => addPolicy(state, { rule: remove, before: 'update' }, facts)).then({ governance: [rules(create, remove, update)] });
    given(site).when((state) => addPolicy(state, { rule: remove, before: 'update' }, facts)).thenRejected('VALIDATION_FAILED');
  });

  it('must make sense beside the others', () => {
    given(site, rules(create)).when((state) => addPolicy(state, { rule: { ...update, name: 'create' } }, facts)).thenRejected('VALIDATION_FAILED');
    given(site, rules(create)).when((state) => addPolicy(state, { rule: { ...create, name: 'again' } }, facts)).thenRejected('VALIDATION_FAILED');
    const full = Array.from({ length: 200 }, (_, nr) => PolicyRule.parse({ name: `rule ${nr}`, when: { arguments: [{ path: '/a', eq: nr }] }, then: { do: 'ask' } }));
    given(site, rules(...full)).when((state) => addPolicy(state, { rule: remove }, facts)).thenRejected('VALIDATION_FAILED');
  });

  it('is taken out by its name', () => {
    given(site, rules(create, update, remove)).when((state) => removePolicy(state, { name: 'update' }, facts)).then({ governance: [rules(create, remove)] });
    given(site, rules(create)).when((state) => removePolicy(state, { name: 'constructor' }, facts)).thenRejected('FORBIDDEN');
    given().when((state) => removePolicy(state, { name: 'create' }, facts)).thenRejected('FORBIDDEN');
  });
});
