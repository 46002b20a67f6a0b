/** JSON as an example holds it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What fields hold in examples, so that all of them tell one story. A value that a schema refuses is passed over. */
export type ExampleValues = {
  /** By component and name; what is said here is shown even where it may be left out. */
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  /** By name. */
  readonly fields: Readonly<Record<string, Json>>;
  /** By the end of a name, the longest first: `At` for `createdAt`. */
  readonly endings: Readonly<Record<string, Json>>;
};

export const NO_VALUES: ExampleValues = { components: {}, fields: {}, endings: {} };

/** What the product says of a field, the best first. */
export const valuesOf = ({ components, fields, endings }: ExampleValues, name: string, component = ''): readonly Json[] => [
  ...given(components[component] ?? {}, name),
  ...given(fields, name),
  ...Object.keys(endings).filter((end) => name.endsWith(end)).sort((a, b) => b.length - a.length).map((end) => endings[end]!),
];

const given = (values: Readonly<Record<string, Json>>, name: string): readonly Json[] => (Object.hasOwn(values, name) ? [values[name]!] : []);
