/** Runs that wait for a worker. */
export const AGENT_RUNS = 'agent-runs';
/** Staged changes that are committed when nobody vetoed them in time. */
export const AGENT_VETO_COMMITS = 'agent-veto-commits';
/** Where jobs of every queue end up after their last attempt; nobody works on it. */
export const AGENT_DEAD_LETTER = 'agent-dead-letter';

export type QueueDefinition = {
  /** Letters, digits, `-`, `_`, `.`; at most 100. */
  readonly name: string;
  /** How often a job is tried before it becomes a dead letter. */
  readonly attempts: number;
  /** The pause before attempt n + 1 is between `backoffSeconds` · 2^(n-1) and twice that, by chance, so that what failed together does not come back together. */
  readonly backoffSeconds: number;
  /** How long one attempt may take, heartbeats or not. Whole seconds, below a day. */
  readonly timeoutSeconds: number;
};

export const queue = (name: string, other: Partial<Omit<QueueDefinition, 'name'>> = {}): QueueDefinition => ({
  name, attempts: 3, backoffSeconds: 1, timeoutSeconds: 3_600, ...other,
});

/** The queues of the product. */
export const QUEUES: readonly QueueDefinition[] = [queue(AGENT_RUNS), queue(AGENT_VETO_COMMITS)];
