import { describe, expect, it } from '@jest/globals';
import { isStandalone, isStandaloneName } from './unoffered.policy';

describe('What is never offered over MCP', () => {
  it.each(['export_backup', 'exportBackup', 'restore_backup', 'install_marketplace_extension', 'installMarketplaceExtension', 'publish_extension', 'upload_media', 'uploadBinaryMedia', 'uploadFile'])('%s', (name) => {
    expect(isStandaloneName(name)).toBe(true);
  });

  it.each(['createItem', 'publishArtifact', 'listExtensions', 'docs.upload_media', 'uploadReport', 'restoreRevision', 'constructor'])('has no say about %s', (name) => {
    expect(isStandaloneName(name)).toBe(false);
  });

  it('a skill that takes bytes, whatever its name and however deep', () => {
    const takes = (schema: Record<string, unknown>) => ({ type: 'object', properties: { at: { type: 'object', properties: { data: { type: 'string', ...schema } } } } });
    for (const schema of [{ contentEncoding: 'base64' }, { format: 'binary' }, { format: 'byte' }]) expect(isStandalone({ name: 'addPicture', kind: 'skill', inputSchema: takes(schema) as never })).toBe(true);
    expect(isStandalone({ name: 'addPicture', kind: 'skill', inputSchema: takes({}) as never })).toBe(false);
    expect(isStandalone({ name: 'addPicture', kind: 'http', inputSchema: takes({ format: 'binary' }) as never })).toBe(false);
  });
});
