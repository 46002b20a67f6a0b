import type { Evaluator } from '../evaluator.schema';

/** Identity of one evaluator's content; handed in, because hashing is done outside. */
export type HashOf = (evaluators: readonly Evaluator[]) => string;

export type EvaluatorDiff = { readonly added: readonly string[]; readonly removed: readonly string[]; readonly changed: readonly string[] };

/** Ids of the evaluators that are new, gone, or say something else; the order they stand in is no difference. */
export const evaluatorDiff = (before: readonly Evaluator[], after: readonly Evaluator[], hashOf: HashOf): EvaluatorDiff => {
  const [old, young] = [before, after].map((each) => new Map(each.map((evaluator) => [evaluator.id, hashOf([evaluator])]))) as [Map<string, string>, Map<string, string>];
  return {
    added: [...young.keys()].filter((id) => !old.has(id)),
    removed: [...old.keys()].filter((id) => !young.has(id)),
    changed: [...young].filter(([id, hash]) => old.has(id) && old.get(id) !== hash).map(([id]) => id),
  };
};
