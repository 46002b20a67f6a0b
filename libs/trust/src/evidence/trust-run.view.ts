/** A run as far as trust is concerned: whose it was, what it did, how it ended. */
export type TrustRun = {
  readonly id: string;
  readonly siteId: string;
  readonly agentRole: string;
  /** The capabilities under which its calls were decided. */
  readonly capabilities: readonly string[];
  readonly status: 'running' | 'succeeded' | 'failed' | 'cancelled';
  readonly endedAt: string | null;
};
