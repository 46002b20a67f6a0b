import { accept, missing, reject, type Context, type Decision } from '@app/kernel';
import type { CollectionEvent } from '../collection.events';
import { collectionGone, liveCollection } from '../collection.policy';
import { sameRelation, type Collection } from '../collection.state';
import { MAX_RELATIONS, type Relation } from '../relation.schema';
import { refusedReserved } from '../reserved-name.policy';
import type { CreateRelationBody, DeleteRelationBody } from './relation.command';
import { outgoing } from './references.policy';

/** By name: the two collections of the relation, and for a new one all that `to` leads to. */
export type Collections = Readonly<Record<string, Collection>>;
export type RelationEvents = Readonly<Record<string, readonly CollectionEvent[]>>;

const invalid = (pointer: string, detail: string) => reject('invalid', 'VALIDATION_FAILED', 'The relation is not well defined.', { errors: [{ pointer, detail }] });

/**
 * Both collections are told, so each knows what it takes part in. Relations form no cycle: there is always an order in which items can be made, and
 * one in which they can be deleted. A collection that `to` leads to and that was not read yet is a conflict: read it, and decide again.
 */
export const decideCreateRelation = (states: Collections, { collection: from, name, field, to }: CreateRelationBody, { now }: Pick<Context, 'now'>): Decision<RelationEvents> => {
  const found = liveCollection(states[from] ?? { status: 'none' }, 0);
  if (!found.ok) return found;
  const reserved = refusedReserved(name);
  if (reserved) return reserved;
  const target = states[to] ?? { status: 'none' };
  if (target.status === 'deleted') return collectionGone(target);
  if (target.status === 'none') return invalid('/to', `There is no collection ${to}`);
  const type = found.collection.fields.find((known) => known.name === field)?.type;
  if (type === undefined) return invalid('/field', 'The collection has no such field');
  if (type !== 'text') return invalid('/field', `Must be a field of type text, not ${type}`);
  const own = outgoing(found.collection);
  const taken = own.find((known) => known.name === name || known.field === field);
  if (taken) return reject('conflict', 'CONFLICT', `There is already a relation ${taken.name} on the field ${taken.field}.`, { relation: taken });
  if (found.collection.relations.length >= MAX_RELATIONS || target.relations.length >= MAX_RELATIONS) return reject('conflict', 'CONFLICT', `A collection takes part in at most ${MAX_RELATIONS} relations.`);
  const cycle = pathBetween(states, to, from);
  if (cycle) return reject('conflict', 'CONFLICT', `Relations form no cycle, and this one would: ${[from, ...cycle].join(' → ')}.`, { cycle: [from, ...cycle] });
  const relation: Relation = { name, from, field, to };
  const added: CollectionEvent = { type: 'RelationAdded', data: { relation, at: now.toISOString() } };
  return accept({ [from]: [added], [to]: [added] });
};

export const decideDeleteRelation = (states: Collections, { collection: from, name }: DeleteRelationBody, { now }: Pick<Context, 'now'>): Decision<RelationEvents> => {
  const found = liveCollection(states[from] ?? { status: 'none' }, 0);
  if (!found.ok) return found;
  const relation = outgoing(found.collection).find((known) => sameRelation(known, { from, name }));
  if (!relation) return missing();
  if (!Object.hasOwn(states, relation.to)) return reject('conflict', 'CONFLICT', 'The relation was made anew meanwhile; repeat the request.');
  const removed: CollectionEvent = { type: 'RelationRemoved', data: { relation, at: now.toISOString() } };
  return accept({ [from]: [removed], [relation.to]: [removed] });
};

/** Collections that can be reached from one by relations and whose own are not known yet. */
export const unknownAhead = (states: Collections, start: string): readonly string[] => reachable(states, start).filter((name) => !Object.hasOwn(states, name));

const reachable = (states: Collections, start: string): readonly string[] => {
  const seen = new Set([start]);
  for (const name of seen) for (const { to } of outgoing(states[name] ?? { status: 'none' })) seen.add(to);
  return [...seen];
};

/** The collections on a way along relations, both ends included; undefined when there is none. */
const pathBetween = (states: Collections, start: string, end: string, seen: readonly string[] = []): readonly string[] | undefined => {
  if (start === end) return [start];
  for (const { to } of outgoing(states[start] ?? { status: 'none' })) {
    const rest = seen.includes(to) ? undefined : pathBetween(states, to, end, [...seen, start]);
    if (rest) return [start, ...rest];
  }
  return undefined;
};
