import type { RpcDescription } from '@app/nats';
import { z } from 'zod';
import { CompleteCallBody, FailCallBody, LeaseView, SettledCallView, TakeCallBody, TakenCallView } from './worker.schema';

const lease = ['leaseId'] as const;

/** What workers ask over NATS. */
export const workerRpc: readonly RpcDescription[] = [
  { name: 'takeCall', summary: 'Takes the oldest call that is offered for one of the tools', payload: TakeCallBody, answer: TakenCallView.nullable() },
  { name: 'renewLease', summary: 'Says that the worker is still at work', payload: z.strictObject({}), ids: lease, answer: LeaseView },
  { name: 'completeCall', summary: 'Hands in the result of a call', payload: CompleteCallBody, ids: lease, answer: SettledCallView },
  { name: 'failCall', summary: 'Says that a call has failed, and why', payload: FailCallBody, ids: lease, answer: SettledCallView },
];
