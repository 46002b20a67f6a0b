/** What somebody holds who would call: every bound has to cover a capability, and the role as well. */
export type Held = { readonly agentRole: string | undefined; readonly bounds: readonly (readonly string[])[] };
