export { containsMask, MASK, maskSecrets, maskUnder, masksIn, scrub, type Masked } from './masking/masking.policy';
export { secretNameIn, SecretName, SecretsChange, SecretValue } from './secret-name.schema';
