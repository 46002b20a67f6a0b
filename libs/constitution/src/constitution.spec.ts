import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { patternProblem } from '@app/json-schema';
import { activateConstitution } from './activate-constitution/activate-constitution.decide';
import { evaluatorDiff } from './activate-constitution/evaluator-diff.policy';
import { constitutionHash } from './constitution-hash';
import type { ConstitutionEvent } from './constitution.events';
import { constitution, type Constitution } from './constitution.state';
import { draftConstitution } from './draft-constitution/draft-constitution.decide';
import { Evaluators, type Evaluator } from './evaluator.schema';

const evaluators = (...fields: readonly string[]): Evaluator[] => Evaluators.parse(fields.map((field) => ({ id: field, type: 'rule', rule: 'required', field })));
const ids = (constitutionId: string) => ({ constitutionId, siteId: 'site_a' });
const drafted = (id: string, of: readonly Evaluator[]): Constitution => {
  const decision = draftConstitution(constitution.initial, ids(id), constitutionHash(of), of, patternProblem);
  return decision.ok ? decision.events.constitution.reduce(constitution.evolve, constitution.initial) : constitution.initial;
};
const site = (...events: readonly GovernanceEvent[]): Governance =>
  [{ type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } } as const, ...events].reduce(governance.evolve, governance.initial);

describe('A constitution', () => {
  it('[CONST-002] is identified by the sha256 of its evaluators in canonical JSON, whatever order their members come in', () => {
    const written = Evaluators.parse([{ field: 'title', rule: 'max_length', value: 60, type: 'rule', id: 'short' }]);
    const again = Evaluators.parse([{ id: 'short', type: 'rule', rule: 'max_length', field: 'title', value: 60 }]);
    const other = Evaluators.parse([{ id: 'short', type: 'rule', rule: 'max_length', field: 'title', value: 61 }]);
    const expected = createHash('sha256').update('[{"field":"title","id":"short","rule":"max_length","type":"rule","value":60}]').digest('hex');
    expect([written, again].map(constitutionHash)).toEqual([expected, expected]);
    expect(constitutionHash(other)).not.toBe(expected);
  });

  it('[CONST-002] hashes as any implementation of RFC 8785 does', () => {
    const evaluator = fc.record({ id: fc.stringMatching(/^[a-z]{1,9}$/), value: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }) });
    fc.assert(
      fc.property(fc.uniqueArray(evaluator, { selector: ({ id }) => id, minLength: 1, maxLength: 5 }), (list) => {
        const parsed = Evaluators.parse(list.map(({ id, value }) => ({ id, type: 'rule', rule: 'contains', field: 'a.b', value: value.toWellFormed() })));
        expect(constitutionHash(parsed)).toBe(createHash('sha256').update(canonicalize(parsed)!).digest('hex'));
      }),
      { numRuns: 100 },
    );
  });

  it('[CONST-015] refuses a pattern that needs backtracking or repeats too much', () => {
    for (const value of ['(a)\\1', '(?=a)b', '((a{30}){30}){2}', '[']) {
      const [bad] = Evaluators.parse([{ id: 'x', type: 'rule', rule: 'regex', field: 'a', value }]);
      expect(draftConstitution(constitution.initial, ids('con_1'), 'h', [...evaluators('t'), bad!], patternProblem)).toMatchObject({
        ok: false, rejection: { code: 'VALIDATION_FAILED', facts: { errors: [{ pointer: '/evaluators/1/value' }] } },
      });
    }
  });

  it('refuses two evaluators with one id, unknown members and values that do not fit the rule', () => {
    const one = { id: 'x', type: 'rule', rule: 'required', field: 'a' };
    for (const bad of [[one, one], [], [{ ...one, extra: 1 }], [{ ...one, rule: 'max_length', value: '5' }], [{ ...one, rule: 'equals' }], [{ ...one, severity: 'fatal' }], [{ ...one, threshold: 2 }], [{ ...one, field: 'a..b' }]]) {
      expect(Evaluators.safeParse(bad).success).toBe(false);
    }
  });

  it('[CONST-007] [CONST-008] takes the place of the one before, in one decision that says what changed', () => {
    const before = drafted('con_1', evaluators('title', 'body', 'sku'));
    const change = Evaluators.parse([{ id: 'body', type: 'rule', rule: 'required', field: 'text' }]);
    const after = drafted('con_2', [...evaluators('price'), ...change, ...evaluators('sku')]);
    const first = activateConstitution({ constitution: before, previous: constitution.initial, governance: site() }, 'site_a', constitutionHash);
    if (!first.ok) throw new Error('Refused');
    expect(first.events).toMatchObject({ governance: [{ data: { previousHash: null, added: ['title', 'body', 'sku'], removed: [], changed: [] } }], previous: [] });
    const second = activateConstitution({ constitution: after, previous: before, governance: site(...first.events.governance) }, 'site_a', constitutionHash);
    const hash = (state: Constitution) => (state.status === 'none' ? '' : state.hash);
    expect(second).toEqual({
      ok: true,
      events: {
        governance: [
          { type: 'ConstitutionActivated', data: { constitutionId: 'con_2', hash: hash(after), previousHash: hash(before), added: ['price'], removed: ['title'], changed: ['body'] } },
        ],
        previous: [{ type: 'ConstitutionArchived', data: { hash: hash(before), replacedBy: 'con_2' } }],
      },
    });
  });

  it('activates once: a repeat changes nothing, an archived one is refused, one of another site is unknown', () => {
    const draft = drafted('con_1', evaluators('title'));
    const active = site({ type: 'ConstitutionActivated', data: { constitutionId: 'con_1', hash: 'h', previousHash: null, added: [], removed: [], changed: [] } });
    expect(activateConstitution({ constitution: draft, previous: constitution.initial, governance: active }, 'site_a', constitutionHash)).toEqual({ ok: true, events: { governance: [], previous: [] } });
    const archive: ConstitutionEvent = { type: 'ConstitutionArchived', data: { hash: 'h', replacedBy: 'con_2' } };
    const archived = constitution.evolve(draft, archive);
    expect(activateConstitution({ constitution: archived, previous: constitution.initial, governance: site() }, 'site_a', constitutionHash)).toMatchObject({ ok: false, rejection: { code: 'CONFLICT' } });
    expect(activateConstitution({ constitution: draft, previous: constitution.initial, governance: site() }, 'site_b', constitutionHash)).toMatchObject({ ok: false, rejection: { kind: 'missing' } });
  });

  it('differs from another by ids, not by the order they stand in', () => {
    expect(evaluatorDiff(evaluators('a', 'b'), evaluators('b', 'a'), constitutionHash)).toEqual({ added: [], removed: [], changed: [] });
  });
});
