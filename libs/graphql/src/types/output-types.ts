import {
  GraphQLEnumType, GraphQLID, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString, type GraphQLFieldConfigMap, type GraphQLNullableType, type GraphQLOutputType,
} from 'graphql';
import { typeName } from '../api/field-names';
import { resolve, type Components, type JsonSchema } from '../api/json-schema';
import type { GraphqlContext } from '../context';
import type { TypeNames } from './names';
import { isClosedObject, scalarOf, wordsOf } from './simple-types';

/** Fields that a type gets besides those of its schema, such as the run that a `runId` names. */
export type MoreFields = (type: string, schema: JsonSchema) => GraphQLFieldConfigMap<unknown, GraphqlContext>;

type Named = GraphQLObjectType<unknown, GraphqlContext> | GraphQLEnumType;

/** What answers look like, from the schemas of the API. A component gives one type of its name; what has no name is called after its place. */
export class OutputTypes {
  private readonly made = new Map<unknown, Named>();

  constructor(
    private readonly components: Components,
    private readonly names: TypeNames,
    private readonly more: MoreFields,
  ) {}

  /** `place` names the type if the schema has no name of its own. */
  of(schema: JsonSchema, place: string): GraphQLOutputType {
    const { type, nullable } = this.read(schema, place);
    return nullable ? type : new GraphQLNonNull(type);
  }

  /** The same, null or not: an element that cannot be shown must not take the whole page along. */
  nullableOf = (schema: JsonSchema, place: string): GraphQLNullableType & GraphQLOutputType => this.read(schema, place).type;

  /** What one item of a list looks like that is a field of a record. */
  itemOf(record: JsonSchema, field: string): JsonSchema | undefined {
    const { properties = {} } = resolve(record, this.components).schema;
    return properties[field] && resolve(properties[field], this.components).schema.items;
  }

  private read(given: JsonSchema, place: string): { readonly type: GraphQLNullableType & GraphQLOutputType; readonly nullable: boolean } {
    const { schema, name, nullable } = resolve(given, this.components);
    const wanted = typeName(name ?? place);
    if (schema.type === 'array') return { type: new GraphQLList(this.of(schema.items ?? {}, `${place}Item`)), nullable };
    const words = wordsOf(schema);
    if (words) return { type: this.once(name ?? schema, () => enumOf(this.names.take(wanted), words)), nullable };
    if (isClosedObject(schema)) return { type: this.once(name ?? schema, () => this.object(this.names.take(wanted), schema)), nullable };
    const type = scalarOf(schema);
    return { type, nullable: nullable || type.name === 'JSON' };
  }

  private object(name: string, schema: JsonSchema): GraphQLObjectType<unknown, GraphqlContext> {
    const { properties = {}, required = [], description } = schema;
    const fieldOf = (field: string, given: JsonSchema) => {
      const type = this.of(given, `${name}${typeName(field)}`);
      const shown = field === 'id' && isText(type) ? new GraphQLNonNull(GraphQLID) : type;
      return { type: required.includes(field) || !(shown instanceof GraphQLNonNull) ? shown : (shown.ofType as GraphQLOutputType), description: given.description };
    };
    return new GraphQLObjectType({
      name,
      description,
      fields: () => ({ ...Object.fromEntries(Object.entries(properties).map(([field, given]) => [field, fieldOf(field, given)])), ...this.more(name, schema) }),
    });
  }

  private once(key: unknown, make: () => Named): Named {
    const known = this.made.get(key);
    if (known) return known;
    const type = make();
    this.made.set(key, type);
    return type;
  }
}

const isText = (type: GraphQLOutputType) => type instanceof GraphQLNonNull && type.ofType === GraphQLString;

const enumOf = (name: string, words: readonly string[]) => new GraphQLEnumType({ name, values: Object.fromEntries(words.map((word) => [word, {}])) });
