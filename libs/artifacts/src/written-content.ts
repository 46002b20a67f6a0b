import { reject, type Rejected } from '@app/kernel';
import { maskSecrets } from '@app/vault/contract';
import type { ArtifactContent } from './artifact.schema';
import { measured } from './artifact-hash';
import { objectsIn, textsIn } from './evaluators/strings.policy';

/**
 * Content as it will be kept for good, or why not: the log cannot forget a secret, and an artifact with a hole in it is not what was made. A text
 * may give itself away, or the name of the member that holds it; what merely describes such a member, as a schema does, is no secret.
 */
export const keepable = (content: ArtifactContent): ({ readonly ok: true } & ReturnType<typeof measured>) | Rejected => {
  const named = objectsIn(content).flatMap(({ path, object }) => Object.entries(object).flatMap(([name, value]) => (typeof value === 'string' && holdsSecret({ [name]: value }) ? [`${path}/${name}`] : [])));
  const found = [...named, ...textsIn(content).filter(({ text }) => holdsSecret(text)).map(({ path }) => path)];
  return found.length === 0
    ? { ok: true, ...measured(content) }
    : reject('invalid', 'VALIDATION_FAILED', 'The content holds what looks like a secret; name it as secret://… instead.', {
        errors: [...new Set(found)].slice(0, 20).map((path) => ({ pointer: `/content${path}`, detail: 'No secrets' })),
      });
};

const holdsSecret = (value: unknown) => maskSecrets(value).secrets.length > 0;
