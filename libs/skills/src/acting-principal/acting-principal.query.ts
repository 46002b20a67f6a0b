import { Query, type Outcome, type Principal } from '@app/kernel';

/** Who a call of a run acts as, narrowed to what the run may do, and where its goal came from. */
export type Acting = { readonly principal: Principal; readonly origin: string };

/** For use cases that ask who is at work: those that hand on rights, and those that must not be begun by everything. */
export class ActingPrincipal extends Query<Outcome<Acting>> {
  constructor(
    readonly runId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
