import { z } from 'zod';

const Tools = z.array(z.string().min(1).max(130)).min(1).max(100);

/** `waitMs`: how long to wait for a call when there is none, in milliseconds. */
export const PollBody = z.strictObject({
  tools: Tools,
  waitMs: z.int().min(0).max(30_000).default(0),
}).meta({ id: 'PollForCalls' });
export const TakeCallBody = z.strictObject({ tools: Tools }).meta({ id: 'TakeCall' });
export const CompleteCallBody = z.strictObject({ result: z.json().default(null) }).meta({ id: 'CompleteCall' });
export const FailCallBody = z.strictObject({ error: z.string().trim().min(1).max(2_000) }).meta({ id: 'FailCall' });

/** A call that is this worker's until `leaseUntil`; a heartbeat gives it `leaseMs` milliseconds more. */
export const TakenCallView = z.object({
  callId: z.string(), runId: z.string(), tool: z.string(), arguments: z.record(z.string(), z.json()), leaseId: z.string(), leaseUntil: z.string(), leaseMs: z.int(),
  /** Of this run, for this worker, for a quarter of an hour. */
  token: z.string(), tokenExpiresAt: z.string(),
}).meta({ id: 'TakenCall' });
export const LeaseView = z.object({ leaseId: z.string(), leaseUntil: z.string(), leaseMs: z.int() }).meta({ id: 'Lease' });
export const SettledCallView = z.object({ runId: z.string(), callId: z.string() }).meta({ id: 'SettledCall' });
