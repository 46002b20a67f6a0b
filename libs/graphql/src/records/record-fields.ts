import { ProblemException, refusalOf } from '@app/http';
import type { AnyProjection } from '@app/projections';
import type { GraphQLFieldConfigMap, GraphQLOutputType } from 'graphql';
import type { JsonSchema } from '../api/json-schema';
import type { Operation } from '../api/operations';
import type { GraphqlContext } from '../context';
import { costing } from '../limits/costs';

/** Records that others name by id: whatever has a `runId` gets the field `run`. */
export type RecordModel = {
  /** The list of the API that shows these records, such as `/api/v1/agent/runs`; who may read it may follow the ids. */
  readonly route: string;
  /** Its rows are what the list shows. */
  readonly projection: AnyProjection;
  /** Fields that hold an id of such a record; each ends in `Id`. */
  readonly ids: readonly string[];
};

export type Related = RecordModel & { readonly list: Operation; readonly type: GraphQLOutputType; /** Types that show the record itself. */ readonly own: ReadonlySet<string> };

const fieldFor = (id: string) => id.replace(/Id$/, '');

/** The fields that the ids of a schema give. They read together, however many nodes ask. */
export const recordFields = (related: readonly Related[], type: string, { properties = {} }: JsonSchema): GraphQLFieldConfigMap<unknown, GraphqlContext> =>
  Object.fromEntries(
    related.flatMap((model) =>
      model.ids.flatMap((id) => (properties[id] === undefined || properties[fieldFor(id)] !== undefined || isItself(model, type, id) ? [] : [[fieldFor(id), fieldOf(model, id)]])),
    ),
  );

/** The id of a record in its own view names nothing else. */
const isItself = ({ own, ids }: Related, type: string, id: string) => own.has(type) && id === ids[0];

const fieldOf = ({ list: { access }, projection, type }: Related, id: string): GraphQLFieldConfigMap<unknown, GraphqlContext>[string] => ({
  type,
  description: `The record that ${id} names; null when there is none`,
  extensions: costing('record'),
  resolve: (source, _args, { session }) => {
    const value = (source as Readonly<Record<string, unknown>>)[id];
    if (typeof value !== 'string') return null;
    const refusal = refusalOf(access, session.caller.principal);
    if (refusal !== undefined) throw new ProblemException(403, 'FORBIDDEN', refusal, { kept: false });
    return session.records.load(projection, value);
  },
});
