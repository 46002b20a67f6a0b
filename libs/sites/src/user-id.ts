import { idOfText } from '@app/event-store';
import type { Identity } from './principal.state';

/** The person who has an address on a site: made from both, so that the log itself keeps two from having one. `email` as the schema writes it. */
export const userIdOf = (siteId: string, email: string): string => idOfText('usr', `${siteId} ${email}`);

/** The principal that an account of an issuer signs in as on a site: made from all three, so nothing has to be looked up. */
export const signInIdOf = (siteId: string, { issuer, subject }: Identity): string => idOfText('key', `sign-in ${JSON.stringify([siteId, issuer, subject])}`);
