import { reject, type Rejected } from '@app/kernel';
import { isReserved, RESERVED_PREFIX } from './field.policy';

/** Undefined when the name is free for anybody to give. */
export const refusedReserved = (name: string): Rejected | undefined =>
  isReserved(name) ? reject('invalid', 'RESERVED_NAME', `Names that start with ${RESERVED_PREFIX} belong to the product; choose another for ${name}.`, { name }) : undefined;
