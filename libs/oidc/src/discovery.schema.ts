import { z } from 'zod';

/** What we need of the description of an issuer. */
export const Discovery = z.object({ issuer: z.string(), jwks_uri: z.string() });

/** Whether a key is any good is found out when a token names it. */
export const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
