import { reject, type Actor, type Rejected } from '@app/kernel';
import type { Pins } from './item.state';

/** Who makes a change, and on which run. */
export type Author = { readonly actor: Actor; readonly runId?: string | undefined };

/** A person's own edit. What a run writes is its agent's work, whoever drives or approves it. */
export const isPersonsOwn = ({ actor, runId }: Author): boolean => actor.kind === 'human' && runId === undefined;
const isAgents = ({ actor, runId }: Author): boolean => actor.kind === 'agent' || runId !== undefined;

/** Which of these fields a person has pinned. */
export const pinnedAmong = (pins: Pins, fields: readonly string[]): readonly string[] => fields.filter((field) => Object.hasOwn(pins, field));

/** Why an author may not write these fields; undefined when none of them is pinned, or when the author is no agent. */
export const refusedByPins = (pins: Pins, fields: readonly string[], author: Author): Rejected | undefined => {
  const pinned = isAgents(author) ? pinnedAmong(pins, fields) : [];
  if (pinned.length === 0) return undefined;
  return reject('conflict', 'PINNED_BY_HUMAN', `A person has pinned ${pinned.join(', ')}; agents leave that as it is.`, { fields: pinned });
};
