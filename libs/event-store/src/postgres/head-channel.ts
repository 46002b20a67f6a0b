/** Another way than NOTIFY to tell processes that the log has a new head, and to hear it. A hint, never the truth. */
export type HeadChannel = {
  /** Called after each commit; must not throw and not wait. */
  announce(head: bigint): void;
  /** Answers how to end it. */
  listen(onHead: () => void): () => void;
};
