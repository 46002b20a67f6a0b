import { describe, expect, it } from '@jest/globals';
import { matchesPattern } from '@app/json-schema';
import { Evaluators } from '../evaluator.schema';
import { evaluatePublish } from './publish-gate.policy';

const tools = { matches: matchesPattern };
const constitution = {
  hash: 'a'.repeat(64),
  evaluators: Evaluators.parse([
    { id: 'title', type: 'rule', rule: 'required', field: 'title' },
    { id: 'short', type: 'rule', rule: 'max_length', field: 'title', value: 5, severity: 'warning' },
  ]),
};
const gate = (data: unknown, overrideReason?: string) => evaluatePublish({ artifactType: 'plan', data }, constitution, tools, overrideReason);

describe('The publish gate', () => {
  it('[CONST-020] blocks what fails a blocking evaluator', () => {
    expect(gate({})).toMatchObject({ ok: true, verdict: { allowed: false, blocking: ['title'], constitutionHash: constitution.hash } });
  });

  it('[CONST-022] reports a failed warning and lets it pass', () => {
    const done = gate({ title: 'Far too long' });
    expect(done).toMatchObject({ ok: true, verdict: { allowed: true, blocking: [], results: [{ passed: true }, { evaluatorId: 'short', severity: 'warning', passed: false, detail: expect.stringContaining('at most 5') }] } });
    expect(done.ok && 'constitutionOverridden' in done.verdict).toBe(false);
  });

  it('needs a reason to be overridden, and says what was known', () => {
    expect(gate({}, '  ')).toMatchObject({ ok: false, rejection: { kind: 'invalid', code: 'VALIDATION_FAILED' } });
    expect(gate({}, 'Legal needs it today')).toMatchObject({
      ok: true, verdict: { allowed: true, blocking: ['title'], constitutionOverridden: { reason: 'Legal needs it today', constitutionHash: constitution.hash, failed: ['title'] } },
    });
    const fine = gate({ title: 'Ok' }, 'Just in case');
    expect(fine.ok && 'constitutionOverridden' in fine.verdict).toBe(false);
  });

  it('is open when no constitution is in force', () => {
    expect(evaluatePublish({ data: {} }, null, tools)).toEqual({ ok: true, verdict: { allowed: true, constitutionHash: null, results: [], blocking: [] } });
  });

  it('[CONST-016] gives no verdict without a judge that it needs, override or not', () => {
    const judged = { hash: 'b', evaluators: Evaluators.parse([{ id: 'voice', type: 'llm_judge', prompt: 'Friendly?', threshold: 0.5 }]) };
    for (const reason of [undefined, 'Now']) expect(evaluatePublish({ data: {} }, judged, tools, reason)).toMatchObject({ ok: false, rejection: { code: 'LLM_NOT_CONFIGURED' } });
  });
});
