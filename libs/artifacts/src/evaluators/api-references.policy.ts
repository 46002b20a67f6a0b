import { isObject, objectsIn } from './strings.policy';

const VERBS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What a schema of documents cannot say: that references lead somewhere in the document, that paths declare what they have in braces, and that no name is taken twice. */
export const apiReferenceProblems = (document: Readonly<Record<string, unknown>>): readonly string[] => [...referenceProblems(document), ...operationProblems(document)];

/** Nothing is fetched: a reference that leaves the document leads nowhere. */
const referenceProblems = (document: Readonly<Record<string, unknown>>) =>
  objectsIn(document).flatMap(({ path, object }) => {
    const reference = Object.hasOwn(object, '$ref') ? object['$ref'] : undefined;
    if (reference === undefined || isObject(reference)) return [];
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return [`${path}/$ref does not lead to a place in this document`];
    return at(document, reference) === undefined ? [`${path}/$ref leads nowhere: ${reference.slice(0, 200)}`] : [];
  });

const operationProblems = (document: Readonly<Record<string, unknown>>): readonly string[] => {
  const paths = isObject(document['paths']) ? document['paths'] : {};
  const named = new Map<string, string>();
  return Object.entries(paths).flatMap(([template, given]) => {
    const item = resolved(document, given);
    if (!isObject(item)) return [];
    const wanted = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
    return VERBS.flatMap((verb) => {
      const operation = item[verb];
      if (!isObject(operation)) return [];
      const place = `/paths/${escaped(template)}/${verb}`;
      const declared = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map((each) => resolved(document, each)).filter(isObject);
      const inPath = declared.filter((each) => each['in'] === 'path').map((each) => String(each['name']));
      const missing = wanted.filter((name) => !inPath.includes(name)).map((name) => `${place} does not declare the parameter ${name} of its path`);
      const loose = inPath.filter((name) => !wanted.includes(name)).map((name) => `${place} declares ${name}, which its path does not have`);
      const id = operation['operationId'];
      const before = typeof id === 'string' ? named.get(id) : undefined;
      if (typeof id === 'string') named.set(id, before ?? place);
      return [...missing, ...loose, ...(before === undefined ? [] : [`${place}/operationId is that of ${before}`])];
    });
  });
};

const at = (document: unknown, reference: string): unknown =>
  reference.slice(2).split('/').reduce<unknown>((place, raw) => {
    const name = decoded(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(place)) return /^\d+$/.test(name) ? (place[Number(name)] as unknown) : undefined;
    return isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
  }, document);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const resolved = (document: unknown, value: unknown): unknown => (isObject(value) && typeof value['$ref'] === 'string' ? at(document, value['$ref']) : value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1');
