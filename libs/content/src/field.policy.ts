import type { Constraints, Field } from './field.schema';
import type { Problem } from './problem.policy';

/**
 * Linear-time regular expressions, as a value. Both functions always answer the same for the same texts, so a decision that uses them can
 * be repeated; the engine behind them is a package that pure files do not import.
 */
export type Patterns = {
  /** Why a pattern cannot be used, or null. */
  readonly problem: (pattern: string) => string | null;
  /** Whether the pattern is found anywhere in the text, as JSON Schema has it. */
  readonly matches: (pattern: string, text: string) => boolean;
};

const TEXT = ['minLength', 'maxLength', 'pattern'] as const;
const NUMERIC = ['min', 'max'] as const;
const CONSTRAINTS_OF: Record<Field['type'], readonly (keyof Constraints)[]> = {
  text: TEXT,
  longtext: TEXT,
  integer: NUMERIC,
  number: NUMERIC,
  boolean: [],
  date: [],
  datetime: [],
  json: [],
  enum: ['options'],
};

export const RESERVED_PREFIX = 'lumibase_';
export const isReserved = (name: string) => name.startsWith(RESERVED_PREFIX);

type Placed = { readonly field: Field; /** Where the field stands in the request. */ readonly pointer: string };

/**
 * What is wrong with definitions. Patterns are looked at last and only up to the first unusable one: compiling a hostile pattern can take
 * 65 ms, and a request may hold 200 of them.
 */
export const definitionProblems = (placed: readonly Placed[], patterns: Patterns): readonly Problem[] => {
  const problems = placed.flatMap(({ field, pointer }) => constraintProblems(field, `${pointer}/constraints`));
  if (problems.length > 0) return problems;
  for (const { field, pointer } of placed) {
    const pattern = field.constraints?.pattern;
    const detail = pattern === undefined ? null : patterns.problem(pattern);
    if (detail !== null) return [{ pointer: `${pointer}/constraints/pattern`, detail }];
  }
  return [];
};

/** A constraint that would be ignored is refused. */
const constraintProblems = ({ type, constraints = {} }: Field, at: string): readonly Problem[] => {
  const problems: Problem[] = [];
  for (const name of Object.keys(constraints) as (keyof Constraints)[]) {
    if (CONSTRAINTS_OF[type].includes(name)) continue;
    const known = CONSTRAINTS_OF[type].join(', ');
    problems.push({
      pointer: `${at}/${name}`,
      detail: `A field of type ${type} knows ${known === '' ? 'no constraints' : `only ${known}`}`,
    });
  }
  const { minLength, maxLength, min, max, options } = constraints;
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    problems.push({ pointer: `${at}/minLength`, detail: 'Must not be greater than maxLength' });
  }
  if (min !== undefined && max !== undefined && min > max) problems.push({ pointer: `${at}/min`, detail: 'Must not be greater than max' });
  if (type === 'enum' && options === undefined) problems.push({ pointer: `${at}/options`, detail: 'A field of type enum needs options' });
  if (options && new Set(options).size < options.length)
    problems.push({ pointer: `${at}/options`, detail: 'Must not name an option twice' });
  return problems;
};
