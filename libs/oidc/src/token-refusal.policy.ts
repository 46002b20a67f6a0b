/** Why a token whose signature is right was refused, in a sentence for whoever sent it; undefined for all others, which are told nothing. */
export const tokenRefusal = ({ code, claim }: { readonly code?: string; readonly claim?: string }): string | undefined => {
  if (code === 'ERR_JWT_EXPIRED') return 'The token has expired; sign in again.';
  if (code !== 'ERR_JWT_CLAIM_VALIDATION_FAILED') return undefined;
  if (claim === 'aud') return 'The token was issued for another audience.';
  if (claim === 'nbf') return 'The token is not valid yet.';
  return `The claim ${claim === 'iss' || claim === 'sub' || claim === 'exp' ? claim : 'set'} of the token is missing or wrong.`;
};
