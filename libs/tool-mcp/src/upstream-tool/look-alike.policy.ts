/** Letters of other scripts, and digits, that look like a Latin letter. Folding both sides makes two names that look alike equal. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o', '1': 'l', '3': 'e', '5': 's', i: 'l', '|': 'l', '!': 'l', $: 's', '@': 'a',
  а: 'a', в: 'b', е: 'e', к: 'k', м: 'm', н: 'h', о: 'o', р: 'p', с: 'c', т: 't', у: 'y', х: 'x', і: 'l', ј: 'j', ѕ: 's', ԁ: 'd', ԛ: 'q', ԝ: 'w', һ: 'h', ӏ: 'l',
  α: 'a', β: 'b', ε: 'e', η: 'n', ι: 'l', κ: 'k', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'u', χ: 'x', ϲ: 'c', ϳ: 'j',
  ո: 'n', օ: 'o', ս: 'u', հ: 'h', ց: 'g', զ: 'q', ı: 'l', ɑ: 'a', ɡ: 'g', ℓ: 'l',
};
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

/** What a name looks like: compatibility forms and accents undone, case and separators gone, look-alikes folded. */
export const skeletonOf = (name: string): string =>
  [...name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
    .filter((character) => !/[-_.\s/]/.test(character))
    .map((character) => LOOKS_LIKE[character] ?? character)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

export const mixesScripts = (name: string): boolean => SCRIPTS.filter((script) => script.test(name)).length > 1;

/** Shorter names are one letter apart by chance: `get` and `set`. */
const MIN_LENGTH_FOR_A_SLIP = 8;

const ownNameOf = (name: string) => name.slice(name.indexOf('.') + 1);

/** The tools that a site has already, by what their names look like. */
export class KnownLooks {
  private readonly looks = new Map<string, readonly string[]>();

  constructor(names: readonly string[]) {
    for (const name of names) {
      const look = skeletonOf(ownNameOf(name));
      this.looks.set(look, [...(this.looks.get(look) ?? []), name]);
    }
  }

  /** The known tool that this name could be taken for. The very same word on another server is no look-alike; that of a tool without a server is. */
  mistakenFor(own: string): string | undefined {
    const look = skeletonOf(own);
    const same = this.looks.get(look)?.find((known) => ownNameOf(known) !== own || !known.includes('.'));
    if (same !== undefined || look.length < MIN_LENGTH_FOR_A_SLIP) return same;
    for (const [known, [name]] of this.looks) if (known !== look && isOneSlip(known, look)) return name;
    return undefined;
  }
}

/** One letter more, less, other, or two neighbours swapped. */
const isOneSlip = (one: string, other: string): boolean => {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const rests = [[1, 1], [1, 0], [0, 1]] as const;
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at] && one.slice(at + 2) === other.slice(at + 2);
  return swapped || rests.some(([a, b]) => one.slice(at + a) === other.slice(at + b));
};
