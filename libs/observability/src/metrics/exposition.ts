import { INFINITE, SUM, type Family, type Sample } from './family';

/** The content type of the text format, version 0.0.4, which every Prometheus reads. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** One metric in Prometheus' text format. A counter without labels is shown from the start, so that its first step is seen as a step. */
export const exposition = (family: Family, samples: readonly Sample[]): string => {
  const lines = family.type === 'histogram' ? histogramLines(family, samples) : plainLines(family, samples);
  return `# HELP ${family.name} ${escapedHelp(family.help)}\n# TYPE ${family.name} ${family.type}\n${lines.map((line) => `${line}\n`).join('')}`;
};

const plainLines = ({ name, type, labels }: Family, samples: readonly Sample[]): string[] => {
  const shown = samples.length === 0 && type === 'counter' && labels.length === 0 ? [{ values: [], part: '', value: 0 }] : samples;
  return shown.map(({ values, value }) => `${name}${labelText(labels, values)} ${value}`);
};

/** Stored buckets count by themselves; shown ones include all lower ones, and those that never counted anything. */
const histogramLines = ({ name, labels, buckets = [] }: Family, samples: readonly Sample[]): string[] =>
  [...Map.groupBy(samples, ({ values }) => JSON.stringify(values)).values()].flatMap((series) => {
    const { values } = series[0]!;
    const parts = new Map(series.map(({ part, value }) => [part, value]));
    let count = 0;
    const cumulated = [...buckets.map(String), INFINITE].map((bound) => {
      count += parts.get(bound) ?? 0;
      return `${name}_bucket${labelText([...labels, 'le'], [...values, bound])} ${count}`;
    });
    return [...cumulated, `${name}_sum${labelText(labels, values)} ${parts.get(SUM) ?? 0}`, `${name}_count${labelText(labels, values)} ${count}`];
  });

const labelText = (labels: readonly string[], values: readonly string[]): string =>
  labels.length === 0 ? '' : `{${labels.map((label, i) => `${label}="${escapedValue(values[i] ?? '')}"`).join(',')}}`;

const escapedHelp = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapedValue = (text: string) => escapedHelp(text).replaceAll('"', '\\"');
