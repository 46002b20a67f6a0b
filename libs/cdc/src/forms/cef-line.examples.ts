import type { CefRecord } from './cef-line.policy';

const HEADER = /^CEF:0\|((?:[^\\|]|\\[\\|])*)\|((?:[^\\|]|\\[\\|])*)\|((?:[^\\|]|\\[\\|])*)\|((?:[^\\|]|\\[\\|])*)\|((?:[^\\|]|\\[\\|])*)\|(\d+)\|/;

/** Reads a line as a receiver does. */
export const readCef = (line: string): CefRecord => {
  const found = HEADER.exec(line);
  if (!found) throw new Error(`Not CEF: ${line}`);
  const [vendor, product, version, signatureId, name] = found.slice(1, 6).map(unescaped) as [string, string, string, string, string];
  return { vendor, product, version, signatureId, name, severity: Number(found[6]), extension: readExtension(line.slice(found[0].length)) };
};

/** A key ends at an equals sign, and those of values are escaped; the value before it ends at the one space in front of the key. */
const readExtension = (text: string): CefRecord['extension'] => {
  const starts = [...text.matchAll(/(?:^| )([A-Za-z0-9]+)=/g)];
  return Object.fromEntries(starts.map(({ index, 0: found, 1: key }, nr) => [key!, unescaped(text.slice(index + found.length, starts[nr + 1]?.index))]));
};

const unescaped = (text: string): string => text.replaceAll(/\\(.)/g, (_all, char: string) => (char === 'n' ? '\n' : char === 'r' ? '\r' : char));
