/** A secret that is asked for by name and not there. `message` names it and never holds a value. */
export class SecretUnavailable extends Error {}

/**
 * Turns `secret://name` into its value, for executors alone and only while they execute: a resolved value is sent out and kept nowhere.
 * Rejects with `SecretUnavailable` for a name that the site has not set, or for what is no reference.
 */
export abstract class SecretResolver {
  abstract resolve(siteId: string, reference: string): Promise<string>;
}
