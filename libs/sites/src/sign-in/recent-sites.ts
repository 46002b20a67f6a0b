import type { Identity } from '../principal.state';

/** Somebody who belongs nowhere is looked for again after this time: an invitation counts soon, and asking again and again costs nothing. */
const NOWHERE_MS = 2_000;
const SOMEWHERE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** On which sites an account was found a moment ago. Only where to look: what it may do there is read from the log each time. */
export class RecentSites {
  private readonly found = new Map<string, { readonly sites: readonly string[]; readonly until: number }>();

  /** Undefined when it is not known, or no longer. `now` in milliseconds. */
  of(identity: Identity, now: number): readonly string[] | undefined {
    const known = this.found.get(keyOf(identity));
    return known && now < known.until ? known.sites : undefined;
  }

  note(identity: Identity, sites: readonly string[], now: number) {
    if (this.found.size >= MAX_REMEMBERED) this.found.clear();
    this.found.set(keyOf(identity), { sites, until: now + (sites.length === 0 ? NOWHERE_MS : SOMEWHERE_MS) });
  }

  forget = (identity: Identity): void => void this.found.delete(keyOf(identity));
}

const keyOf = ({ issuer, subject }: Identity) => JSON.stringify([issuer, subject]);
