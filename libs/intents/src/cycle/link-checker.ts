export type LinkQuestion = { readonly url: string; readonly siteId: string; readonly signal: AbortSignal };

/** Looks whether an address outside can be reached. Whoever implements it decides where a request may go. */
export abstract class LinkChecker {
  /** False when there is nothing at the address, or nobody; true when there is something, or when that cannot be told. */
  abstract isReachable(question: LinkQuestion): Promise<boolean>;
}

/** Without a way to the outside only links between items are looked at. */
export class NoOutsideLinks extends LinkChecker {
  override isReachable = () => Promise.resolve(true);
}
