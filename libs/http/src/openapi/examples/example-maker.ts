import { NO_VALUES, valuesOf, type ExampleValues, type Json } from './example-values';
import { fits, typesOf, type Schema } from './fits';

/** Where a schema stands: the field it describes, the component that field belongs to, and the components around it. */
type Place = { readonly name: string; readonly component: string | undefined; readonly inside: readonly string[] };

const NAME = /^#\/components\/schemas\/(.+)$/;
/** What a text may be when its name says nothing; the first that the schema takes. */
const TEXTS = ['text', '1', '2030-01-31T09:30:00.000Z', '2030-01-31', 'https://shop.example', 'ada@shop.example', '0'.repeat(64), 'secret://token'];
const NUMBERS = [1, 0, 0.5];

/** Thrown for a schema that no value is known for. */
class NoExample extends Error {}

/**
 * Makes a value that a schema accepts: what is required, what the product says, and nothing else; lists with one entry. Names decide what texts and numbers say, by
 * the values that the product gives; an alternative that is null is taken only when nothing else can be said.
 */
export class ExampleMaker {
  constructor(private readonly components: Readonly<Record<string, Schema>>, private readonly values: ExampleValues = NO_VALUES) {}

  /** Undefined when no value is known; a test finds these. `name` is that of the field the value stands in. */
  of(schema: Schema, name = ''): Json | undefined {
    try {
      return this.make(schema, { name, component: undefined, inside: [] });
    } catch (error) {
      if (error instanceof NoExample) return undefined;
      throw error;
    }
  }

  private readonly resolve = (schema: Schema): Schema => {
    const [, component] = NAME.exec(schema.$ref ?? '') ?? [];
    return component === undefined ? schema : this.resolve(this.components[component] ?? {});
  };

  private make(schema: Schema, place: Place): Json {
    const said = [...valuesOf(this.values, place.name, place.component), ...(schema.examples ?? [])].find((value) => fits(schema, value, this.resolve));
    if (said !== undefined) return said;
    const [, component] = NAME.exec(schema.$ref ?? '') ?? [];
    if (component !== undefined) {
      if (place.inside.includes(component)) throw new NoExample(`${component} holds itself`);
      return this.make(this.components[component] ?? {}, { ...place, component, inside: [...place.inside, component] });
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum?.length) return schema.enum[0]!;
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => this.make(one, place))) as Json;
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return this.firstOf(either, place);
    return this.ofType(schema, place);
  }

  private firstOf(either: readonly Schema[], place: Place): Json {
    for (const one of either.toSorted((a, b) => Number(a.type === 'null') - Number(b.type === 'null'))) {
      try {
        return this.make(one, place);
      } catch (error) {
        if (!(error instanceof NoExample)) throw error;
      }
    }
    throw new NoExample(`${place.name} has no alternative that ends`);
  }

  private ofType(schema: Schema, place: Place): Json {
    const type = typesOf(schema).find((one) => one !== 'null') ?? typesOf(schema)[0];
    switch (type) {
      case undefined: return schema.properties ? this.object(schema, place) : {};
      case 'object': return this.object(schema, place);
      case 'array': return this.list(schema, place);
      case 'boolean': return false;
      case 'null': return null;
      default: return this.scalar(schema, type === 'string' ? TEXTS : NUMBERS, place);
    }
  }

  private object({ properties = {}, required = [] }: Schema, { component, inside }: Place): Json {
    const said = Object.keys(this.values.components[component ?? ''] ?? {});
    const shown = Object.keys(properties).filter((name) => required.includes(name) || said.includes(name));
    return Object.fromEntries(shown.map((name) => [name, this.make(properties[name]!, { name, component, inside })]));
  }

  /** One entry, named by the singular of the list: `fields` holds what `field` says. */
  private list({ items = {}, minItems = 0 }: Schema, { name, component, inside }: Place): Json {
    try {
      return [this.make(items, { name: name.replace(/ies$/, 'y').replace(/s$/, ''), component, inside })];
    } catch (error) {
      if (error instanceof NoExample && minItems === 0) return [];
      throw error;
    }
  }

  private scalar(schema: Schema, candidates: readonly Json[], { name }: Place): Json {
    const found = [...candidates, schema.minimum, schema.maximum, (schema.exclusiveMinimum ?? 0) + 1].find((value) => value !== undefined && fits(schema, value, this.resolve));
    if (found === undefined) throw new NoExample(`Nothing is known that ${name} could hold`);
    return found;
  }
}
