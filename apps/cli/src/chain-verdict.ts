import type { ChainVerdict, Harness, VerifyProgress } from '@app/sdk';

/** Runs the verification on the server to its end. */
export const verifyChain = async (
  harness: Harness,
  signal: AbortSignal,
  onProgress: (progress: VerifyProgress) => void = () => undefined,
): Promise<ChainVerdict> => {
  let verdict: ChainVerdict | undefined;
  for await (const step of harness.audit.verify({ signal })) {
    if (step.kind === 'verdict') verdict = step.verdict;
    else onProgress(step.progress);
  }
  if (!verdict) throw new Error('The verification ended without a verdict');
  return verdict;
};
