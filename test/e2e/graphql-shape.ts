import type { GraphqlAnswer } from './graphql-client';
import type { Body } from './server';

type TypeRef = { readonly kind: string; readonly name: string | null; readonly ofType: TypeRef | null };
type Field = { readonly name: string; readonly args: readonly { readonly name: string }[]; readonly type: TypeRef };
type Type = { readonly name: string; readonly kind: string; readonly fields: readonly Field[] | null };

const REF = 'kind name ofType { kind name ofType { kind name ofType { kind name } } }';
const QUESTION = `{ __schema { queryType { name } types { name kind fields { name args { name } type { ${REF} } } } } }`;

const namedIn = (type: TypeRef): string => (type.ofType ? namedIn(type.ofType) : type.name!);

/** What a server says of its own GraphQL. */
export class Shape {
  private constructor(private readonly types: ReadonlyMap<string, Type>) {}

  static async of(ask: (query: string) => Promise<GraphqlAnswer>): Promise<Shape> {
    const { data } = await ask(QUESTION);
    return new Shape(new Map((data.__schema.types as Type[]).map((type) => [type.name, type])));
  }

  /** Fields of a type; of the reads without a name. */
  fieldsOf = (type = 'Query'): readonly Field[] => this.types.get(type)?.fields ?? [];

  /** The type that a read gives. */
  typeOf = (read: string): string => namedIn(this.fieldsOf().find(({ name }) => name === read)!.type);

  /** Every field of a type that is in an answer of the API, however deep; what an id leads to is left out, since the API does not show it. */
  selection(type: string, around: readonly string[] = []): string {
    const ids = new Set(this.fieldsOf(type).map(({ name }) => name));
    return this.fieldsOf(type)
      .filter(({ name }) => !ids.has(`${name}Id`))
      .flatMap(({ name, type: given }) => {
        const named = namedIn(given);
        if (this.types.get(named)?.kind !== 'OBJECT') return [name];
        return around.includes(named) ? [] : [`${name} { ${this.selection(named, [...around, type, named])} }`];
      })
      .join(' ');
  }
}

/** What REST leaves out, GraphQL says is null; so neither counts. */
export const withoutNothing = (value: Body): Body => {
  if (Array.isArray(value)) return value.map(withoutNothing);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as Record<string, Body>).flatMap(([name, field]) => (field === null ? [] : [[name, withoutNothing(field)]])));
};
