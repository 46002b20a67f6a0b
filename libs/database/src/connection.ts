/** Where a PostgreSQL database is; fits `new Pool(…)` and `new Client(…)`. `host` may be the folder of a Unix socket. */
export type Connection =
  | { readonly connectionString: string }
  | { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
