import { GraphQLObjectType, GraphQLSchema, type GraphQLOutputType } from 'graphql';
import type { EventStore } from '@app/event-store';
import { componentsOf, operationsOf, type ApiDocument, type Operation } from '../api/operations';
import type { RestCalls } from '../api/rest-calls';
import type { Limits } from '../limits/costs';
import { recordFields, type RecordModel, type Related } from '../records/record-fields';
import { InputTypes } from '../types/input-types';
import { TypeNames } from '../types/names';
import { OutputTypes } from '../types/output-types';
import { ConnectionTypes } from './connections';
import { mutationType, type Mutations } from './mutations';
import { queryType, type Piece } from './queries';
import { subscriptionType, type LiveField } from './subscriptions';

/** What of the product is shown over GraphQL, besides the reads of its API. */
export type GraphqlDesign = {
  readonly mutations: Mutations;
  readonly records: readonly RecordModel[];
  readonly pieces: readonly Piece[];
  readonly live: readonly LiveField[];
  /** The list of all events of a site. */
  readonly eventsRoute: string;
  /** Path segments that only group others, such as `agent`; they are no part of a field's name. */
  readonly groups: readonly string[];
};

export type SchemaParts = { readonly calls: RestCalls; readonly store: Pick<EventStore, 'follow' | 'head'>; readonly limits: Limits; readonly stopping: AbortSignal };

const OWN_NAMES = ['Query', 'Mutation', 'Subscription', 'PageInfo', 'AppendedEvent', 'JSON', 'SafeInt', 'String', 'ID', 'Int', 'Float', 'Boolean'];

/** The schema, made from the description of the API. */
export const buildSchema = (document: ApiDocument, design: GraphqlDesign, parts: SchemaParts): GraphQLSchema => {
  const components = componentsOf(document);
  const operations = operationsOf(document);
  const names = new TypeNames(OWN_NAMES);
  const related: Related[] = [];
  const outputs = new OutputTypes(components, names, (type, schema) => recordFields(related, type, schema));
  related.push(...design.records.map((model) => relatedOf(model, operations, outputs)));
  const inputs = new InputTypes(components, names);
  const kit = { outputs, inputs, connections: new ConnectionTypes(outputs, names), calls: parts.calls };
  return new GraphQLSchema({
    description: 'The API of the harness as GraphQL: what a field asks, shows and refuses is what its route asks, shows and refuses',
    query: queryType(operations.filter(({ method }) => method === 'GET'), design.groups, design.pieces, kit),
    mutation: mutationType(design.mutations, operations, kit, names),
    subscription: subscriptionType(design.live, { ...parts, operations, records: related, eventsRoute: design.eventsRoute }),
  });
};

const relatedOf = (model: RecordModel, operations: readonly Operation[], outputs: OutputTypes): Related => {
  const list = operations.find(({ method, path }) => method === 'GET' && path === model.route);
  if (list?.answer.kind !== 'page') throw new Error(`${model.route} is no list of the API`);
  const single = operations.find(({ method, path }) => method === 'GET' && path.startsWith(`${model.route}/{`) && !path.slice(model.route.length + 1).includes('/'));
  const type = outputs.nullableOf(list.answer.data, model.ids[0]!);
  const shown = [type, ...(single ? [outputs.nullableOf(single.answer.data, model.ids[0]!)] : [])];
  return { ...model, list, type, own: new Set(shown.flatMap((one: GraphQLOutputType) => (one instanceof GraphQLObjectType ? [one.name] : []))) };
};
