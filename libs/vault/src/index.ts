export { MasterKey } from './keys/master-key';
export { masterKeyIn, MasterKeyUnreadable } from './keys/master-key-file';
export { containsMask, MASK, maskSecrets, maskUnder, masksIn, scrub, type Masked } from './masking/masking.policy';
export { migrateVault } from './migrate';
export { rotateMasterKey } from './rotate';
export { secretNameIn, SecretName, SecretsChange, SecretValue } from './secret-name.schema';
export { SecretResolver, SecretUnavailable } from './secret-resolver';
export { OtherMasterKey, Vault, type Opened } from './vault';
