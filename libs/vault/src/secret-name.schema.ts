import { z } from 'zod';

export const SecretName = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'Letters, digits and _ . -, at most 64');

/** Values are kept as they are sent; 64 KiB hold any key or certificate chain. */
export const SecretValue = z.string().min(1).max(65_536);

/** New values by name; null removes one. */
export const SecretsChange = z.record(SecretName, SecretValue.nullable()).refine((change) => Object.keys(change).length <= 200, 'At most 200 at once');
export type SecretsChange = Readonly<z.infer<typeof SecretsChange>>;

const REFERENCE = /^secret:\/\/([A-Za-z0-9_.-]{1,64})$/;

/** The name in `secret://name`; undefined for any other text. */
export const secretNameIn = (reference: string): string | undefined => REFERENCE.exec(reference)?.[1];
