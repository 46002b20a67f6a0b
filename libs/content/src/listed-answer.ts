import { orProblem, type ListAnswer } from '@app/http';
import type { Outcome } from '@app/kernel';
import type { Listed } from './listed.view';

/** A list as the body of an answer. */
export const listedAnswer = <Item>(outcome: Outcome<Listed<Item>>): ListAnswer<Item> => {
  const { data, position } = orProblem(outcome);
  return { data: data.rows, nextCursor: data.nextCursor, position };
};
