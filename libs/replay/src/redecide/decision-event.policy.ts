import type { Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';

/** An event in which the door wrote down what it decided, and on which facts. */
export type DecisionEvent = Extract<RunEvent, { data: { readonly inputs: unknown } }>;
export type RecordedRunEvent = Recorded<RunEvent>;
export type RecordedDecision = Recorded<DecisionEvent>;

export const isDecision = (event: RecordedRunEvent): event is RecordedDecision => 'inputs' in event.data;

/** A no of a person or of time: a fact that the door took down, not a decision that it made. */
export const isAnswerOfPerson = ({ data }: DecisionEvent): boolean => 'rule' in data && data.rule === 'approval';
