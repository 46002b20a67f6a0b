import { GraphQLEnumType, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, type GraphQLInputType, type GraphQLNullableType } from 'graphql';
import { typeName } from '../api/field-names';
import { resolve, type Components, type JsonSchema } from '../api/json-schema';
import type { TypeNames } from './names';
import { isClosedObject, scalarOf, wordsOf } from './simple-types';

/**
 * What arguments look like, from the schemas of bodies and parameters. They only give clients names and kinds: lengths, patterns and everything else are
 * checked where they always are, by the route.
 */
export class InputTypes {
  private readonly made = new Map<unknown, GraphQLInputType & GraphQLNullableType>();

  constructor(
    private readonly components: Components,
    private readonly names: TypeNames,
  ) {}

  of(schema: JsonSchema, place: string, required: boolean): GraphQLInputType {
    const { type, nullable } = this.read(schema, place);
    return required && !nullable ? new GraphQLNonNull(type) : type;
  }

  /** Whether nothing at all would be refused. */
  demands = (schema: JsonSchema): boolean => (resolve(schema, this.components).schema.required ?? []).length > 0;

  private read(given: JsonSchema, place: string): { readonly type: GraphQLInputType & GraphQLNullableType; readonly nullable: boolean } {
    const { schema, name, nullable } = resolve(given, this.components);
    const wanted = typeName(name === undefined ? place : `${name}Input`);
    if (schema.type === 'array') return { type: new GraphQLList(this.of(schema.items ?? {}, `${place}Item`, true)), nullable };
    const words = wordsOf(schema);
    if (words) return { type: this.once(name ?? schema, () => new GraphQLEnumType({ name: this.names.take(wanted), values: Object.fromEntries(words.map((word) => [word, {}])) })), nullable };
    if (isClosedObject(schema)) return { type: this.once(name ?? schema, () => this.object(this.names.take(wanted), schema)), nullable };
    return { type: scalarOf(schema), nullable };
  }

  private object(name: string, { properties = {}, required = [], description }: JsonSchema): GraphQLInputObjectType {
    return new GraphQLInputObjectType({
      name,
      description,
      fields: () =>
        Object.fromEntries(
          Object.entries(properties).map(([field, given]) => [field, { type: this.of(given, `${name}${typeName(field)}`, required.includes(field) && given.default === undefined), description: given.description }]),
        ),
    });
  }

  private once(key: unknown, make: () => GraphQLInputType & GraphQLNullableType): GraphQLInputType & GraphQLNullableType {
    const known = this.made.get(key);
    if (known) return known;
    const type = make();
    this.made.set(key, type);
    return type;
  }
}
