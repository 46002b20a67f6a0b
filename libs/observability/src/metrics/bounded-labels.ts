/** Stands for every value that came after the cap was reached. */
export const OTHER = 'other';

/** Distinct values of one label. With two statuses and 15 histogram lines, 100 tools are 3 000 lines: what a scrape can carry. */
export const MAX_VALUES = 100;
const MAX_LENGTH = 100;

export type LabelValue = { readonly label: string; readonly value: string };

/**
 * Keeps the number of series finite whatever names come in: the first hundred values of a label count by themselves, all later ones
 * together as `other`. Which values were first is remembered by the caller, so that a value keeps its series for ever.
 */
export class BoundedLabels {
  private readonly known = new Map<string, Set<string>>();
  private readonly news: LabelValue[] = [];

  constructor(
    known: readonly LabelValue[],
    private readonly maxValues = MAX_VALUES,
  ) {
    for (const { label, value } of known) this.of(label).add(value);
  }

  /** Values that were taken in since the construction. */
  get admitted(): readonly LabelValue[] {
    return this.news;
  }

  bound(label: string, text: string): string {
    const value = text.slice(0, MAX_LENGTH).toWellFormed();
    const values = this.of(label);
    if (values.has(value) || value === OTHER) return value;
    if (values.size >= this.maxValues) return OTHER;
    values.add(value);
    this.news.push({ label, value });
    return value;
  }

  private of(label: string): Set<string> {
    const values = this.known.get(label) ?? new Set();
    this.known.set(label, values);
    return values;
  }
}
