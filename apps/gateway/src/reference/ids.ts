const DIGITS = '019acd3e58407f21a6c4d0b97e53f1a2';

/** Ids of examples. All kinds share their digits: who has seen one knows the others. */
export const id = (prefix: string) => `${prefix}_${DIGITS}`;
export const EVENT_ID = '019acd3e-5840-7f21-a6c4-d0b97e53f1a2';
export const DIGEST = '9f2b6c1d4e8a70355bd1c7e2f4a6988013c5d7e9fb0214365879a9bcbdcedff0';
export const AT = '2030-01-31T09:30:00.000Z';
/** A point of the curve P-256 that everybody knows. */
export const PUSH_KEY = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU';
