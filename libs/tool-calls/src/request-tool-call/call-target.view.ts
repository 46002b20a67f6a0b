/**
 * The one item that a call would change, as the log has it now: its version, the fields that people pinned and the call would write, and
 * the values of the fields of its patch (null: no value).
 */
export type CallTarget = {
  readonly collection: string;
  readonly itemId: string;
  readonly version: number;
  readonly pinnedFields: readonly string[];
  /** Null for a call that is no patch. */
  readonly patch: { readonly before: Readonly<Record<string, unknown>>; readonly after: Readonly<Record<string, unknown>> } | null;
  /** Why it does not take the call as it is now. */
  readonly problems?: readonly { readonly path: string; readonly message: string }[];
};
