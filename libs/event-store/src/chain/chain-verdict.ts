/**
 * What is wrong with the log.
 * `changed_event`: the event is not what was hashed. `missing_event`: no event at a position that had one. `inserted_event`: an event that
 * no batch accounts for. `reordered_batch`: batches stand in another order. `broken_chain`: a batch does not continue the one before it.
 * `bad_signature`: a checkpoint that the key did not sign. `checkpoint_mismatch`: the history differs from the one that was signed.
 */
export type ChainFaultReason =
  | 'changed_event' | 'missing_event' | 'inserted_event' | 'reordered_batch' | 'broken_chain' | 'bad_signature' | 'checkpoint_mismatch';

/**
 * `position` is the first bad one. Where only a range is known it is the one that shows it: the first of a batch, the signed one of a
 * `checkpoint_mismatch`. `detail` is a sentence for a person.
 */
export type ChainFault = { readonly ok: false; readonly position: bigint; readonly reason: ChainFaultReason; readonly detail: string };

/** `events` and `batches` count what was looked at; `chain` is that after `head`, as hex; `signedUpTo` is the last checkpoint that was checked. */
export type ChainIntact = {
  readonly ok: true;
  readonly events: bigint;
  readonly batches: bigint;
  readonly head: bigint;
  readonly chain: string;
  readonly checkpoints: number;
  readonly signedUpTo: bigint | null;
};

export type ChainVerdict = ChainIntact | ChainFault;

export const fault = (position: bigint, reason: ChainFaultReason, detail: string): ChainFault => ({ ok: false, position, reason, detail });
