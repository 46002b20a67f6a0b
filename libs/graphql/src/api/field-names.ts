import type { Operation } from './operations';

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const camel = (text: string) => text.replace(/-+(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `policies` → `policy`, `goals` → `goal`; a word without a plural stays. */
export const singular = (word: string): string => (word.endsWith('ies') ? `${word.slice(0, -3)}y` : /[^s]s$/.test(word) ? word.slice(0, -1) : word);

/** `GoalView` is a word of the code; `Goal` is the type. */
export const typeName = (text: string): string => upper(camel(text));

const segmentsOf = (path: string, groups: readonly string[]) =>
  path.split('/').filter((segment) => segment !== '' && segment !== 'api' && !/^v\d+$/.test(segment) && !groups.includes(segment));

const isParameter = (segment: string | undefined) => segment?.startsWith('{') ?? false;

/**
 * The name of a read as a field: the words of its path. A word that is followed by an id is in the singular, unless the path ends there with a list:
 * `goals` → `goals`, `goals/{goalId}` → `goal`, `runs/{runId}/events` → `runEvents`, `items/{collection}` → `items`.
 */
export const fieldName = ({ path, answer }: Pick<Operation, 'path' | 'answer'>, groups: readonly string[]): string => {
  const segments = segmentsOf(path, groups);
  const words = segments.flatMap((segment, index) => {
    if (isParameter(segment)) return [];
    const ofOne = isParameter(segments[index + 1]) && !(answer.kind !== 'one' && index + 2 === segments.length);
    return [camel(ofOne ? singular(segment) : segment)];
  });
  return words.map((word, index) => (index === 0 ? word : upper(word))).join('');
};

/** Names for all reads. Where one record would be called like its list (`constitution`), it is `…ById`. Throws when two reads still share a name. */
export const fieldNames = (reads: readonly Operation[], groups: readonly string[]): ReadonlyMap<string, Operation> => {
  const named = new Map<string, Operation>();
  const lists = reads.filter(({ answer }) => answer.kind !== 'one');
  for (const read of [...lists, ...reads.filter(({ answer }) => answer.kind === 'one')]) {
    const name = fieldName(read, groups);
    const free = named.has(name) && read.answer.kind === 'one' ? `${name}ById` : name;
    if (named.has(free)) throw new Error(`${read.path} and ${named.get(free)!.path} would both be ${free} in GraphQL; rename one of the routes`);
    named.set(free, read);
  }
  return named;
};
