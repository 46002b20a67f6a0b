/**
 * Gathers questions that arrive while one is under way into the next one. An answer never comes from a question that was asked before
 * its caller did, so it is at least as new as the call.
 */
export class Coalesced<Key, Answer> {
  private next: { readonly keys: Set<Key>; readonly answer: Promise<Answer> } | null = null;
  private current: Promise<unknown> = Promise.resolve();

  constructor(private readonly ask: (keys: readonly Key[]) => Promise<Answer>) {}

  request(keys: readonly Key[]): Promise<Answer> {
    if (!this.next) {
      const gathered = new Set<Key>();
      const answer = this.current.then(() => {
        this.next = null;
        return this.ask([...gathered]);
      });
      this.current = answer.catch(() => undefined);
      this.next = { keys: gathered, answer };
    }
    for (const key of keys) this.next.keys.add(key);
    return this.next.answer;
  }
}
