import { categoryOf, type Aggregate } from '@app/kernel';

// `any` only here: the registry holds aggregates of every state and event, and hands each its own stream.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type AnyAggregate = Aggregate<any, any>;

/** How the streams of each category fold; the application lists them. */
export class Aggregates {
  private readonly byCategory: ReadonlyMap<string, AnyAggregate>;

  constructor(aggregates: readonly AnyAggregate[]) {
    this.byCategory = new Map(aggregates.map((aggregate) => [aggregate.category, aggregate]));
  }

  of = (streamId: string): AnyAggregate | undefined => this.byCategory.get(categoryOf(streamId));
}
