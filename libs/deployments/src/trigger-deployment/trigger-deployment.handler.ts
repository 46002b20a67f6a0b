import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor, idFor } from '@app/event-store';
import { governance, type DeploymentTarget } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { deployment } from '../deployment.state';
import { deploymentView, type DeploymentView } from '../deployment-list/deployment.view';
import { DeployHook } from './deploy-hook';
import { endDeployment } from './end-deployment.decide';
import { TriggerDeployment } from './trigger-deployment.command';
import { triggerDeployment } from './trigger-deployment.decide';

@CommandHandler(TriggerDeployment)
export class TriggerDeploymentHandler implements ICommandHandler<TriggerDeployment> {
  constructor(
    private readonly executor: Executor,
    private readonly hook: DeployHook,
  ) {}

  /**
   * The log first, then the hook, then its outcome. A command that comes again, after a crash or because a person approved a failed call once more,
   * finds its deployment and calls the hook again, under the same idempotency key; one that has succeeded is answered from the record.
   */
  async execute({ body, context }: TriggerDeployment): Promise<Outcome<DeploymentView>> {
    const { siteId } = context;
    const deploymentId = idFor('dep', context);
    const refs = { deployment: { aggregate: deployment, id: deploymentId }, governance: { aggregate: governance, id: siteId, guard: true } } as const;
    const known = (await this.executor.current(deployment, deploymentId)).state;
    // The log takes a command once, so every attempt is one of its own.
    const attempt = known.status === 'failed' ? { ...context, commandId: `${context.commandId}:again:${known.attempts}` } : context;
    const begun = await this.executor.execute(refs, attempt, (states) => triggerDeployment(states, body, deploymentId, context));
    if (!begun.ok) return begun;
    const { deployment: state, governance: site } = begun.states;
    if (state.status === 'none' || site.status === 'none') return missing();
    if (state.status !== 'triggered') return { ok: true, data: deploymentView(state), position: begun.position };
    const target = targetOf(site.settings.deployments?.targets, state);
    const outcome = target
      ? await this.hook.call({ deploymentId, target, reason: body.reason ?? null, parameters: body.parameters ?? {} }, context)
      : { ok: false, code: 'TARGET_REMOVED', reason: 'The deployment target was taken away before its hook was called again.', durationMs: null } as const;
    const ending = { ...context, commandId: `${context.commandId}:outcome:${state.attempts}`, now: new Date(context.now.getTime() + (outcome.durationMs ?? 0)) };
    const ended = await this.executor.execute({ deployment: refs.deployment }, ending, (states) => endDeployment(states, outcome, ending.now));
    if (!ended.ok) return ended;
    return ended.states.deployment.status === 'none' ? missing() : { ok: true, data: deploymentView(ended.states.deployment), position: ended.position };
  }
}

const targetOf = (targets: readonly DeploymentTarget[] = [], { target }: { readonly target: string }) => targets.find(({ name }) => name === target);
