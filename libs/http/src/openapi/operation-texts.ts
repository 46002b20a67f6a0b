import { NO_VALUES, type ExampleValues, type Json } from './examples/example-values';

/** What people read about one operation, and examples of what goes over the wire. What is not said is made from the schemas. */
export type OperationText = {
  /** A sentence without a full stop: what the operation does. */
  readonly summary: string;
  /** What the caller sends. */
  readonly body?: Json;
  /** What `data` of the answer holds; of a list, its entries. Fields that are not named are made. Where the answer has no `data`, all of it. */
  readonly answer?: Json;
  /** Several answers that differ, each under a name. */
  readonly answers?: Readonly<Record<string, Json>>;
  /** What `data` of the second successful answer holds, such as 202. */
  readonly second?: Json;
};

/** Everything that the reference says and no schema holds. */
export type ReferenceTexts = {
  /** By operation id: controller and method, such as `goalsCreate`. */
  readonly operations: Readonly<Record<string, OperationText>>;
  /** What each area of the API is for, by tag. */
  readonly areas: Readonly<Record<string, string>>;
  readonly values: ExampleValues;
};

export const NO_TEXTS: ReferenceTexts = { operations: {}, areas: {}, values: NO_VALUES };
