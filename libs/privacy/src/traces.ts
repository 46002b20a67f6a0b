/** What told of a run, by the ids under which it did. */
export type ForgottenRun = { readonly runId: string; readonly goals: readonly string[]; readonly approvals: readonly string[]; readonly stagings: readonly string[] };

/** The keys of a run, and whatever holds its words outside of the log and the read models. May be asked again for the same run. */
export abstract class Traces {
  abstract destroy(run: ForgottenRun): Promise<void>;
}
