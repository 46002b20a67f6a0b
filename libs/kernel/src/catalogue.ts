import type { Event } from './event';

export type Problem = { readonly path: string; readonly message: string };

/** The part of a schema library that the kernel needs; every zod schema fits. */
export type Schema<Data = unknown> = {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Data }
    | { readonly success: false; readonly error: { readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] } };
};

/** One event type at its newest version. `upcasts[n]` turns data of version n into data of version n + 1. */
export type EventType<Type extends string = string, Data = unknown> = {
  readonly type: Type;
  readonly category: string;
  readonly version: number;
  readonly schema: Schema<Data>;
  readonly upcasts: Readonly<Record<number, (data: unknown) => unknown>>;
};

type Versioned<Data> = { readonly version: number; readonly schema: Schema<Data>; readonly upcasts: Readonly<Record<number, (data: never) => unknown>> };
type DataOf<S> = S extends Versioned<infer D> ? D : S extends Schema<infer D> ? D : never;
type Family<S> = { readonly [T in keyof S & string]: EventType<T, DataOf<S[T]>> };

const isVersioned = (entry: Schema | Versioned<unknown>): entry is Versioned<unknown> => 'upcasts' in entry;

/** The event types of one stream category. A plain schema is version 1; a changed shape names its version and its upcasts. */
export const eventFamily = <S extends Record<string, Schema | Versioned<unknown>>>(category: string, schemas: S): Family<S> =>
  Object.fromEntries(
    Object.entries(schemas).map(([type, entry]) => [
      type,
      isVersioned(entry) ? { type, category, ...entry } : { type, category, version: 1, schema: entry, upcasts: {} },
    ]),
  ) as unknown as Family<S>;

/** The union of the events of a family. */
export type EventOf<F> = { [T in keyof F]: F[T] extends EventType<infer Type, infer Data> ? Event<Type, Data> : never }[keyof F];

/** Every event type the product knows. The log refuses what is not in here, and reads old versions through it. */
export class Catalogue {
  private readonly types = new Map<string, EventType>();

  constructor(...families: readonly Readonly<Record<string, EventType>>[]) {
    for (const type of families.flatMap((family) => Object.values(family))) {
      if (this.types.has(type.type)) throw new Error(`Event type ${type.type} is declared twice`);
      this.types.set(type.type, type);
    }
  }

  all = (): readonly EventType[] => [...this.types.values()];

  /** The newest version of a type, or undefined for a type nobody declared. */
  versionOf = (type: string): number | undefined => this.types.get(type)?.version;

  /** What is wrong with an event that somebody wants to append; an empty list means nothing. */
  problems(event: Event, schemaVersion = this.versionOf(event.type)): readonly Problem[] {
    const known = this.types.get(event.type);
    if (!known) return [{ path: '/type', message: `Event type ${event.type} is unknown` }];
    if (schemaVersion !== known.version) {
      return [{ path: '/schemaVersion', message: `${event.type} is written at version ${known.version}, not ${schemaVersion}` }];
    }
    const result = known.schema.safeParse(event.data);
    return result.success
      ? []
      : result.error.issues.map(({ path, message }) => ({ path: ['/data', ...path.map(String)].join('/'), message }));
  }

  /** Data of an old version as today's code expects it. A version from the future is an error: never guess. */
  upcast(type: string, version: number, data: unknown): unknown {
    const known = this.types.get(type);
    if (!known || version === known.version) return data;
    if (version > known.version) throw new Error(`${type} version ${version} is newer than this program, which knows ${known.version}`);
    let current = data;
    for (let from = version; from < known.version; from++) {
      const step = known.upcasts[from];
      if (!step) throw new Error(`${type} has no upcast from version ${from}`);
      current = step(current);
    }
    return current;
  }
}
