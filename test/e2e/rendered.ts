import { createContext, runInContext } from 'node:vm';

/** As much of an element as a page of ours uses. */
class Element {
  readonly children: (Element | string)[] = [];
  readonly dataset: Record<string, string> = {};
  textContent: string | number | undefined;
  constructor(readonly name: string) {}
  append(...children: (Element | string)[]) { this.children.push(...children); }
  addEventListener() {}
  scrollIntoView() {}
  get text(): string {
    return [this.textContent ?? '', ...this.children.map((child) => (typeof child === 'string' ? child : child.text))].join(' ');
  }
}

/** Runs the script of a page of ours as a browser would, against a server; gives back what each element with an id then says. */
export const renderedBy = async (html: string, url: string): Promise<(id: string) => string> => {
  const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
  const byId = new Map([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => [id!, new Element(id!)]));
  const asked: Promise<unknown>[] = [];
  const page = createContext({
    document: { getElementById: (id: string) => byId.get(id) ?? null, createElement: (name: string) => new Element(name), querySelectorAll: () => [] },
    location: { hash: '' },
    HTMLDetailsElement: Element,
    fetch: (path: string) => {
      const answer = fetch(new URL(path, url)).then(async (response) => ({ json: ((body) => () => body)(await response.json()) }));
      asked.push(answer);
      return answer;
    },
  });
  runInContext(script, page);
  await Promise.all(asked);
  // The page goes on in callbacks of the answer it waited for.
  await new Promise((turn) => setImmediate(turn));
  return (id) => byId.get(id)?.text ?? '';
};
