import type { EffectiveTool } from '@app/governance/contract';

/**
 * They stay with interfaces of their own, which check signatures, sizes and what a file really is; as arguments of a tool call, whole backups,
 * packages and files would end up in the log.
 */
const STANDALONE = new Set(['exportbackup', 'restorebackup', 'installmarketplaceextension', 'publishextension']);
const BINARY = /^upload.*(?:media|file|asset|image|video|audio|binary)/;

const bare = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
/** The name of a tool of an upstream server begins with the server's, and names no skill. */
const isOfUpstream = (name: string) => name.includes('.');

const holdsBytes = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false;
  const { contentEncoding, format, properties } = schema as { contentEncoding?: unknown; format?: unknown; properties?: unknown };
  if (contentEncoding === 'base64' || format === 'binary' || format === 'byte') return true;
  return typeof properties === 'object' && properties !== null && Object.values(properties).some(holdsBytes);
};

/** What this endpoint never offers, by its name. */
export const isStandaloneName = (name: string): boolean => !isOfUpstream(name) && (STANDALONE.has(bare(name)) || BINARY.test(bare(name)));

/** What this endpoint never offers: standalone operations, and skills that take binary data. */
export const isStandalone = ({ name, kind, inputSchema }: Pick<EffectiveTool, 'name' | 'kind' | 'inputSchema'>): boolean =>
  isStandaloneName(name) || (kind === 'skill' && holdsBytes(inputSchema));
