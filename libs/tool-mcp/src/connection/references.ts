import { SecretUnavailable, type SecretResolver } from '@app/vault';
import { UpstreamError } from './upstream-error';

const REFERENCE = /secret:\/\/[A-Za-z0-9_.-]{1,64}/g;

export const referencesIn = (text: string): readonly string[] => text.match(REFERENCE) ?? [];

/** What was sent out in the place of references. `secrets` holds each value in the forms in which a server might say it again. */
export type Resolved = { readonly values: Readonly<Record<string, string>>; readonly secrets: readonly string[] };

/** Texts with every `secret://name` in them replaced, for the moment in which they are sent. */
export const resolveReferences = async (values: Readonly<Record<string, string>>, siteId: string, resolver: SecretResolver): Promise<Resolved> => {
  const names = [...new Set(Object.values(values).flatMap(referencesIn))];
  const known = new Map(await Promise.all(names.map(async (name) => [name, await secretOf(name, siteId, resolver)] as const)));
  const resolved = Object.entries(values).map(([key, text]) => [key, text.replace(REFERENCE, (name) => known.get(name)!)] as const);
  return { values: Object.fromEntries(resolved), secrets: [...known.values()].flatMap(formsOf) };
};

const secretOf = async (name: string, siteId: string, resolver: SecretResolver): Promise<string> => {
  try {
    return await resolver.resolve(siteId, name);
  } catch (error) {
    if (error instanceof SecretUnavailable) throw new UpstreamError('SECRET_UNAVAILABLE', error.message);
    throw error;
  }
};

const formsOf = (secret: string): readonly string[] => {
  const encoded = Buffer.from(secret).toString('base64');
  return [...new Set([secret, encoded, encoded.replace(/=+$/, ''), Buffer.from(secret).toString('base64url'), Buffer.from(secret).toString('hex'), encodeURIComponent(secret)])];
};
