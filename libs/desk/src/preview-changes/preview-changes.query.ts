import { Query } from '@app/kernel';
import type { DeskChange } from '../desk.schema';

export type DeskDifference = { readonly path: string; readonly before: unknown; readonly after: unknown };

/** What changes would do to the files of whom a principal stands for, for whoever is asked to approve them. */
export class PreviewChanges extends Query<readonly DeskDifference[]> {
  constructor(
    readonly changes: readonly DeskChange[],
    readonly principalId: string,
    readonly siteId: string,
  ) {
    super();
  }
}
