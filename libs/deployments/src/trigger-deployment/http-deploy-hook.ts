import type { EffectiveTool } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import type { CallContext } from '@app/tool-calls/contract';
import { maskSecrets } from '@app/vault';
import { DeployHook, type HookCall } from './deploy-hook';
import type { HookOutcome } from './end-deployment.decide';

/** What runs tools of kind `http`: it signs, puts secrets in, keeps to the hosts of the site and takes secrets out of what comes back. */
export type HttpExecutor = { run(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<unknown> };

/** Shorter than the time limit of the tool `triggerDeployment`, so that the outcome of the hook is known before the call is given up. */
const TIMEOUT_MS = 20_000;
const MOST_CHARACTERS = 4_000;
const CODED = /^([A-Z][A-Z_]+): ([^]*)$/;
/** NUL, and surrogates that are no half of a pair: the log holds neither. */
const UNSTORABLE = /\0|\p{Surrogate}/gu;

/** The hook as a call of an http tool. Its caller is the handler of `TriggerDeployment`, which agents reach through the door alone. */
export class HttpDeployHook extends DeployHook {
  constructor(private readonly http: HttpExecutor) {
    super();
  }

  override async call({ deploymentId, target, reason, parameters }: HookCall, context: Context): Promise<HookOutcome> {
    const began = performance.now();
    const durationMs = () => Math.round(performance.now() - began);
    const { name, ...http } = target;
    // A deployment that no run asked for stands in the place of its run.
    const call = { context, after: 0n, signal: AbortSignal.timeout(TIMEOUT_MS), runId: context.runId ?? deploymentId, callId: deploymentId };
    try {
      const said = await this.http.run(hookTool(http), { deploymentId, target: name, ...(reason !== null && { reason }), parameters }, call);
      return { ok: true, answer: answerOf(said), durationMs: durationMs() };
    } catch (error) {
      const [, code = 'HOOK_FAILED', sentence = String((error as Error).message)] = CODED.exec(String((error as Error).message)) ?? [];
      return { ok: false, code, reason: kept(sentence), durationMs: durationMs() };
    }
  }
}

const hookTool = (http: NonNullable<EffectiveTool['http']>): EffectiveTool => ({
  name: 'triggerDeployment', kind: 'http', description: 'A deploy hook of the site', inputSchema: { type: 'object' }, requiredCapabilities: ['deployments:write'], risk: 'write', owner: 'core',
  timeoutMs: TIMEOUT_MS, http, enabled: true, isDangerous: true,
});

/** A text as it is, anything else as JSON, and nothing as null. */
const answerOf = (said: unknown): string | null => {
  const { masked } = maskSecrets(said);
  const text = typeof masked === 'object' && masked !== null && Object.keys(masked).join() === 'text' ? (masked as { text: unknown }).text : masked;
  return text === null || text === undefined ? null : kept(typeof text === 'string' ? text : JSON.stringify(text));
};

const kept = (text: string): string => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text).replace(UNSTORABLE, '\ufffd');
