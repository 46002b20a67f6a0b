import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Package = { readonly version?: string; readonly resolved?: string; readonly integrity?: string; readonly link?: boolean };
const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, Package>;
};
const versionsOf = (name: string) =>
  Object.entries(lock.packages).flatMap(([path, { version }]) => (path.endsWith(`node_modules/${name}`) ? [version] : []));

describe('The lock file', () => {
  it.each([
    ['@nestjs/common', /^12\./],
    ['@nestjs/core', /^12\./],
    ['@nestjs/platform-fastify', /^12\./],
    ['fastify', /^5\./],
    ['typescript', /^6\.0\.3$/],
    ['zod', /^4\./],
    ['typeorm', /^1\./],
    ['pg-boss', /^12\./],
    ['jest', /^30\./],
    ['graphql', /^16\./],
  ])('[ARCH-014] resolves %s to %s and to nothing else', (name, version) => {
    const versions = versionsOf(name);
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((one) => !version.test(one ?? ''))).toEqual([]);
  });

  it('names every package by its contents, and no other place than the public registry to fetch it from', () => {
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(packages.filter(([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'))).toEqual(
      [],
    );
    expect(packages.filter(([, { integrity, link }]) => !link && !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });
});
