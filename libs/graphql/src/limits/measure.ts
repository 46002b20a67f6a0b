import {
  getNamedType, GraphQLObjectType, Kind, type DocumentNode, type FieldNode, type FragmentDefinitionNode, type GraphQLSchema, type OperationDefinitionNode, type SelectionSetNode,
} from 'graphql';
import { CALL_POINTS, costOf, DEFAULT_PAGE, FIELD_POINTS, LARGEST_PAGE, RECORD_POINTS } from './costs';

export type Measured = { readonly depth: number; readonly cost: number };

type Variables = Readonly<Record<string, unknown>>;
/** Of a set of selections on one object: how deep it goes, and its points. */
type Weight = Measured;

const NOTHING: Weight = { depth: 0, cost: 0 };

/**
 * How deep an operation goes and what it costs, before anything of it runs. Fields of both branches of a condition count. A fragment is weighed once for
 * each place and type it stands on, so fragments of fragments of fragments do not make the weighing itself a burden. The document must be valid.
 * Introspection does not count: GraphQL bounds it by a rule of its own.
 */
export const measure = (schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables): Measured => {
  const fragments = new Map(document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])));
  const root = schema.getRootType(operation.operation);
  return root ? new Weighing(schema, fragments, variables).selections(operation.selectionSet, root) : NOTHING;
};

class Weighing {
  private readonly known = new Map<FragmentDefinitionNode, Weight>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Variables,
  ) {}

  selections({ selections }: SelectionSetNode, type: GraphQLObjectType): Weight {
    return selections.reduce<Weight>((sum, selection) => {
      const weight =
        selection.kind === Kind.FIELD ? this.field(selection, type)
        : selection.kind === Kind.INLINE_FRAGMENT ? this.selections(selection.selectionSet, this.typeOf(selection.typeCondition?.name.value, type))
        : this.fragment(selection.name.value);
      return { depth: Math.max(sum.depth, weight.depth), cost: sum.cost + weight.cost };
    }, NOTHING);
  }

  private fragment(name: string): Weight {
    const fragment = this.fragments.get(name);
    if (!fragment) return NOTHING;
    const known = this.known.get(fragment);
    if (known) return known;
    // While it is being weighed it weighs nothing: a fragment in itself has been refused, this only keeps the weighing finite.
    this.known.set(fragment, NOTHING);
    const type = this.schema.getType(fragment.typeCondition.name.value);
    const weight = type instanceof GraphQLObjectType ? this.selections(fragment.selectionSet, type) : NOTHING;
    this.known.set(fragment, weight);
    return weight;
  }

  private typeOf(name: string | undefined, around: GraphQLObjectType): GraphQLObjectType {
    const type = name === undefined ? around : this.schema.getType(name);
    return type instanceof GraphQLObjectType ? type : around;
  }

  private field(node: FieldNode, type: GraphQLObjectType): Weight {
    const name = node.name.value;
    if (name.startsWith('__')) return NOTHING;
    const field = type.getFields()[name];
    const result = field && getNamedType(field.type);
    const inside = node.selectionSet && result instanceof GraphQLObjectType ? this.selections(node.selectionSet, result) : NOTHING;
    const cost = costOf(field?.extensions);
    const times = cost === 'page' ? this.pageOf(node) : 1;
    const own = cost === undefined ? 0 : times * RECORD_POINTS + (cost === 'record' ? 0 : CALL_POINTS);
    return { depth: 1 + inside.depth, cost: own + FIELD_POINTS + times * inside.cost };
  }

  private pageOf(node: FieldNode): number {
    const given = node.arguments?.find(({ name }) => name.value === 'first')?.value;
    if (given === undefined) return DEFAULT_PAGE;
    if (given.kind === Kind.INT) return bounded(Number(given.value));
    const value = given.kind === Kind.VARIABLE ? this.variables[given.name.value] : undefined;
    return typeof value === 'number' ? bounded(value) : LARGEST_PAGE;
  }
}

/** A size that the route will refuse weighs like the largest one that it takes. */
const bounded = (size: number): number => Math.min(Math.max(Math.trunc(size), 1), LARGEST_PAGE);
