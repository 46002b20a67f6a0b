/** Origins of foreign pages that the operator lets call this server. */
export class ForeignOrigins {
  constructor(private readonly named: readonly string[]) {}

  allow(origin: string | undefined): boolean {
    return origin !== undefined && this.named.includes(origin);
  }
}
