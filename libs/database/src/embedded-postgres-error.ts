/**
 * `in-use`: another live server process holds the data directory. `other-version`: the data was written by another PostgreSQL major.
 * `not-accessible`: a folder cannot be created, reached or written. `not-available`: no binaries or no account to run them under.
 * `failed`: PostgreSQL itself refused; the end of its log is in the message.
 */
export type EmbeddedPostgresFailure = 'in-use' | 'other-version' | 'not-accessible' | 'not-available' | 'failed';

/** Why the embedded database did not start. The message is for the operator: it names the directory and the next step. */
export class EmbeddedPostgresError extends Error {
  constructor(
    readonly failure: EmbeddedPostgresFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EmbeddedPostgresError';
  }
}
