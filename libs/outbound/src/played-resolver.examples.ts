import { Resolver, type ResolvedAddress } from './resolver';

/** A name service that the test plays: each answer is used once, the last one for ever. */
export class PlayedResolver extends Resolver {
  readonly asked: string[] = [];

  constructor(private readonly answers: Readonly<Record<string, readonly (readonly string[])[]>>) {
    super();
  }

  override resolve = async (host: string): Promise<readonly ResolvedAddress[]> => {
    const answers = this.answers[host] ?? [];
    const addresses = answers[Math.min(this.asked.filter((each) => each === host).length, answers.length - 1)];
    this.asked.push(host);
    if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
}
