/** A scrape, as text and by series: `name{label="value"}` as it is written there. */
export class Scrape {
  private readonly values: ReadonlyMap<string, number>;

  constructor(readonly text: string) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.values = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  }

  /** Undefined for a series that is not there. */
  value = (series: string): number | undefined => this.values.get(series);

  /** All series of a metric. */
  of = (name: string): Readonly<Record<string, number>> => Object.fromEntries([...this.values].filter(([series]) => series === name || series.startsWith(`${name}{`)));
}

export const scrape = async (url: string, headers: Record<string, string> = {}): Promise<Scrape> => {
  const answer = await fetch(`${url}/metrics`, { headers });
  if (answer.status !== 200) throw new Error(`The scrape was answered with ${answer.status}: ${await answer.text()}`);
  return new Scrape(await answer.text());
};
