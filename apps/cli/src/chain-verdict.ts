import type { Harness, VerifyProgress, VerifyVerdict } from '@app/sdk';

/** Runs the verification on the server to its end. */
export const verifyChain = async (harness: Harness, signal: AbortSignal, onProgress: (progress: VerifyProgress) => void = () => undefined): Promise<VerifyVerdict> => {
  let verdict: VerifyVerdict | undefined;
  for await (const message of harness.audit.verify({ signal })) {
    if (message.kind === 'verdict') verdict = message;
    else onProgress(message);
  }
  if (!verdict) throw new Error('The verification ended without a verdict');
  return verdict;
};
