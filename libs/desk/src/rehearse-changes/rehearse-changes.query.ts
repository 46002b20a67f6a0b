import { Query } from '@app/kernel';
import type { DeskChange } from '../desk.schema';

/** Where something in a change is wrong, as the door tells it. */
export type DeskProblem = { readonly path: string; readonly message: string };

/** Whether changes would go through now, one after the other, on the desk of whom a principal stands for. Empty when they would. */
export class RehearseChanges extends Query<readonly DeskProblem[]> {
  constructor(
    readonly changes: readonly DeskChange[],
    readonly principalId: string,
    readonly siteId: string,
    readonly pathOf: (nr: number) => string = () => '',
  ) {
    super();
  }
}
