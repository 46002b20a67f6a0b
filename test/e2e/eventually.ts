/** Asks again until the answer is the wanted one. The deadline only ends a test that has failed already: the last answer is given back as it is. */
export const eventually = async <T>(ask: () => Promise<T>, isRight: (answer: T) => boolean, deadlineMs = 20_000): Promise<T> => {
  for (const until = performance.now() + deadlineMs; ; ) {
    const answer = await ask();
    if (isRight(answer) || performance.now() > until) return answer;
    await new Promise((turn) => setTimeout(turn, 20));
  }
};
