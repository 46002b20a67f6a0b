import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');

/** A fenced block. The comment that begins one is its name: `# the agent` is run, `// agent.mjs` is saved under this name. */
export type Block = { readonly language: string; readonly name: string | undefined; readonly text: string };
export type Document = {
  readonly blocks: readonly Block[];
  /** The one block of this name. */
  block(name: string): Block;
  /** Everything that the document says a block prints. */
  printedBy(name: string): string;
};

/** A block of `text` shows what the block before it prints, or the one that it names: `text of the agent`. */
export const documentOf = (file: string): Document => {
  const fences = [...readFileSync(join(ROOT, file), 'utf8').matchAll(/^```(\w*)(?: of ([^\n]*))?\n(.*?)^```$/gms)].map(([, language = '', of, text = '']) => ({
    language, of, text, name: /^(?:#|\/\/) (.*)\n/.exec(text)?.[1],
  }));
  const blocks = fences.filter(({ language }) => language !== 'text');
  const shown = fences.flatMap(({ language, of, text }, at) => (language === 'text' ? [{ by: of ?? fences.slice(0, at).findLast((before) => before.language !== 'text')?.name, text }] : []));
  return {
    blocks,
    block: (name) => {
      const [found, ...more] = blocks.filter((one) => one.name === name);
      if (!found || more.length > 0) throw new Error(`${file} has ${found ? 'several blocks' : 'no block'} named ${name}.`);
      return found;
    },
    printedBy: (name) => shown.filter(({ by }) => by === name).map(({ text }) => text).join(''),
  };
};

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a document shows, as a pattern: `…` stands for what differs each time, and alone on a line for any number of lines. */
export const asShown = (shown: string): RegExp =>
  new RegExp(`^${shown.split(/(?<=\n)/).map((line) => (line === '…\n' ? '(?:.*\\n)*' : line.split('…').map(literally).join('.*'))).join('')}$`);
