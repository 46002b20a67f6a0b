import type { Claim, Measure, Results, Series, Target } from './results.ts';

/** At least three significant digits, thousands grouped: a rate of 43 210/s is not known to the last digit. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US').replaceAll(',', ' ');
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
};

const targetText = (target: Target | undefined, unit: string): string => {
  if (!target) return '';
  return 'atLeast' in target ? `≥ ${figure(target.atLeast)} ${unit}` : `≤ ${figure(target.atMost)} ${unit}`;
};
const metText = (met: boolean | undefined): string => (met === undefined ? '' : met ? 'yes' : 'NO');

const table = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heading, heading.map((_, i) => (i === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const claimCells = ({ text, unit, value, min, max, target, met }: Claim) => [
  text,
  `${figure(value)} ${unit}`,
  `${figure(min)} … ${figure(max)}`,
  targetText(target, unit),
  metText(met),
];
const CLAIMS = ['promise', 'median', 'min … max', 'target', 'met'];

const DETAILS: Readonly<Record<string, string>> = {
  p50: 'p50 ms',
  p99: 'p99 ms',
  averageMs: 'mean ms',
  clientCores: 'client CPU',
  serverCores: 'server CPU',
  postgresCores: 'PostgreSQL CPU',
  cpuMicros: 'CPU µs each',
  decisionsPerSecond: 'decisions/s',
  seconds: 'seconds',
  megabytes: 'MB',
};

const seriesTable = (series: readonly Series[]): string => {
  const further = Object.keys(DETAILS).filter((key) => series.some(({ details }) => details[key] !== undefined));
  return table(
    ['', 'median', 'min … max', ...further.map((key) => DETAILS[key]!)],
    series.map(({ name, unit, median, min, max, details }) => [
      name,
      `${figure(median)} ${unit}`,
      `${figure(min)} … ${figure(max)}`,
      ...further.map((key) => (details[key] === undefined ? '' : figure(details[key]))),
    ]),
  );
};

const measureText = ({ id, title, series, claims, notes, missing }: Measure): string =>
  [
    `## ${id} · ${title}`,
    seriesTable(series),
    ...(claims.length > 0 ? [table(CLAIMS, claims.map(claimCells))] : []),
    [...notes, ...missing.map((reason) => `Missing: ${reason}`)].map((line) => `- ${line}`).join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');

/** The promises of a run: what stands first in the report, and on the terminal. */
export const claimsTable = ({ measures }: Results): string =>
  table(
    CLAIMS,
    measures
      .flatMap(({ claims }) => claims)
      .filter(({ target }) => target)
      .map(claimCells),
  );

const facts = (entries: Readonly<Record<string, number | string>>) =>
  Object.entries(entries)
    .map(([name, value]) => `${name} ${value}`)
    .join(' · ');

export const markdown = (results: Results): string =>
  [
    '# Benchmark results',
    'Written by `npm run bench`. All contestants take turns, A B A B, on one PostgreSQL with durable commits, together with their load on the same ' +
      'machine. A figure is the median of its rounds. A ratio is that of two medians; beside it stand the least and the greatest ratio of two ' +
      'neighbouring rounds. Absolute figures belong to the machine, ratios much less so.',
    ...(results.quick ? ['**This was a quick run: it shows that the benchmark works, its figures prove nothing.**'] : []),
    [
      `- Date: ${results.date}`,
      `- Machine: ${facts(results.machine)}`,
      `- Versions: ${facts(results.versions)}`,
      `- Run: ${facts(results.options)}`,
    ].join('\n'),
    claimsTable(results),
    ...results.measures.map(measureText),
  ].join('\n\n') + '\n';
