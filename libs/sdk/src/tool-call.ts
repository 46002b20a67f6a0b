export type ToolCallStatus = 'executed' | 'pending_approval' | 'staged' | 'deferred' | 'denied' | 'failed' | 'indeterminate';

/** What the door answered. A denial is a normal answer: `reason` and `rule` say why. */
export type ToolCallResult = {
  readonly callId: string;
  readonly status: ToolCallStatus;
  readonly result?: unknown;
  readonly approvalId?: string;
  readonly actionDigest?: string;
  readonly stagingId?: string;
  readonly autoCommitAt?: string;
  readonly reason?: string;
  readonly rule?: string;
  readonly retryAfterMs?: number;
  readonly autonomy?: number;
  readonly governanceVersion?: number;
};
