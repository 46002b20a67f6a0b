/** Where HTTP requests take the time from; a test puts its own in place. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  override now = () => new Date();
}
