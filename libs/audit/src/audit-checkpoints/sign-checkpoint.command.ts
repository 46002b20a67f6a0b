import { Command, type Outcome } from '@app/kernel';
import type { CheckpointView } from './checkpoint.view';

/** Signs the head of the chain now instead of within a minute; when nothing was appended since the last checkpoint, that one is the answer. */
export class SignCheckpoint extends Command<Outcome<CheckpointView>> {}
