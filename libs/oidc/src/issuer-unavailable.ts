/** An issuer did not answer, or with something that is no answer. Its message names the issuer's address and what was wrong. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
}
