import { Injectable } from '@nestjs/common';
import { Vault } from '@app/vault';
import type { KeptText } from './memory.schema';
import { subjectOf, subjectsBefore, subjectsOf } from './memory-subject.policy';

type SealedMemory = { readonly memoryId: string; readonly revision: number; readonly sealed: string };

/** The texts of memories, each revision under a key of its own. */
@Injectable()
export class KeptTexts {
  constructor(private readonly vault: Vault) {}

  seal = (memoryId: string, revision: number, siteId: string, text: KeptText): Promise<string> => this.vault.seal(subjectOf(memoryId, revision), siteId, text);

  /** In the order asked for; undefined for a text whose key was destroyed. */
  async open(memories: readonly SealedMemory[]): Promise<readonly (KeptText | undefined)[]> {
    const opened = await this.vault.openMany(memories.map(({ memoryId, revision, sealed }) => ({ subject: subjectOf(memoryId, revision), sealed })));
    return opened.map((each) => (each.ok ? (each.value as KeptText) : undefined));
  }

  /** Of all revisions before this one. */
  destroyBefore = (memoryId: string, revision: number): Promise<number> => this.vault.destroyBelow(subjectsBefore(memoryId, revision));

  destroy = (memoryId: string): Promise<number> => this.vault.destroyBelow([subjectsOf(memoryId)]);
}
