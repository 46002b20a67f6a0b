import type { DeploymentTarget } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import type { HookOutcome } from './end-deployment.decide';

export type HookCall = {
  readonly deploymentId: string;
  readonly target: DeploymentTarget;
  readonly reason: string | null;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
};

/** Calls the deploy hook of a target. The same deployment is called under the same idempotency key, however often. Never rejects. */
export abstract class DeployHook {
  abstract call(call: HookCall, context: Context): Promise<HookOutcome>;
}
