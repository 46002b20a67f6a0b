/** What stands in front of the extension is the same for every reader; `severity` is from 0 to 10. */
export type CefRecord = {
  readonly vendor: string;
  readonly product: string;
  readonly version: string;
  readonly signatureId: string;
  readonly name: string;
  readonly severity: number;
  readonly extension: Readonly<Record<string, string>>;
};

/**
 * A line of the Common Event Format, version 0. In the header a backslash and a pipe are escaped, in the values of the extension a backslash, an equals sign and line breaks, and nothing
 * else: `\|` in a value and `\=` in the header would be read as two characters.
 */
export const cefLine = ({ vendor, product, version, signatureId, name, severity, extension }: CefRecord): string =>
  ['CEF:0', ...[vendor, product, version, signatureId, name, String(severity)].map(inHeader), pairs(extension)].join('|');

const pairs = (extension: CefRecord['extension']): string => Object.entries(extension).map(([key, value]) => `${key}=${inExtension(value)}`).join(' ');

/** A header has no way to write a line break. */
const inHeader = (text: string): string => text.replaceAll(/[\\|]/g, String.raw`\$&`).replaceAll(/\r\n|[\r\n]/g, ' ');

const inExtension = (text: string): string => text.replaceAll(/[\\=]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`).replaceAll('\r', String.raw`\r`);
