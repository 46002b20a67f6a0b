import { accept, missing, reject, type Decision } from '@app/kernel';
import type { Governance, GovernanceEvent } from '@app/governance/contract';
import type { ConstitutionEvent } from '../constitution.events';
import type { Constitution } from '../constitution.state';
import { evaluatorDiff, type HashOf } from './evaluator-diff.policy';

type States = { readonly constitution: Constitution; readonly previous: Constitution; readonly governance: Governance };
type Events = { readonly governance: readonly GovernanceEvent[]; readonly previous: readonly ConstitutionEvent[] };

/** Puts a draft in force and archives what was, in one append: there is no moment with two, and none with neither. */
export const activateConstitution = ({ constitution, previous, governance }: States, siteId: string, hashOf: HashOf): Decision<Events> => {
  if (governance.status === 'none' || constitution.status === 'none' || constitution.siteId !== siteId) return missing();
  const { constitutionId, hash, evaluators } = constitution;
  if (governance.constitution?.constitutionId === constitutionId) return accept({ governance: [], previous: [] });
  if (constitution.status === 'archived') {
    return reject('conflict', 'CONFLICT', 'This version was replaced by another; draft it anew to put it in force again.', { status: 'archived' });
  }
  const before = previous.status === 'none' ? { hash: null, evaluators: [] } : previous;
  const { added, removed, changed } = evaluatorDiff(before.evaluators, evaluators, hashOf);
  return accept({
    governance: [
      { type: 'ConstitutionActivated', data: { constitutionId, hash, previousHash: before.hash, added: [...added], removed: [...removed], changed: [...changed] } },
    ],
    previous: before.hash === null ? [] : [{ type: 'ConstitutionArchived', data: { hash: before.hash, replacedBy: constitutionId } }],
  });
};
