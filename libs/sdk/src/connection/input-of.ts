type Frozen<T> = T extends readonly (infer Element)[] ? readonly Frozen<Element>[] : T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T;

/** What may be sent where the server reads by this schema: whatever has a default there may be left out. */
export type InputOf<Schema extends { readonly _zod: { readonly input: unknown } }> = Frozen<Schema['_zod']['input']>;
