/** Server settings by name, as on the command line of `postgres`. */
export type Settings = Readonly<Record<string, string>>;

/** Sized for a machine of 2 cores and 4 GB that runs the server too; a larger installation brings its own PostgreSQL. */
export const durable: Settings = {
  // A commit that was acknowledged survives a power cut. These are the defaults, named because everything else rests on them.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '100',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  // The build has neither lz4 nor zstd.
  wal_compression: 'pglz',
  // Checkpoints far apart, since each page's first change after one is logged whole; replaying 2 GB after a crash takes seconds.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  // Solid-state disks: a random page costs about what the next one does.
  random_page_cost: '1.1',
  // Short queries: compiling one costs more than running it, and parallel workers need shared memory that containers cap at 64 MB.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  log_checkpoints: 'off',
};

/** Throw-away data: starts, clones and writes are faster, and a power cut loses everything. */
export const disposable: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '200',
  jit: 'off',
};

/** No network: only this machine's root and the account itself may open the socket, so no password is needed. */
export const localOnly = (socketDirectory: string, port: number): Settings => ({
  listen_addresses: '',
  unix_socket_directories: `"${socketDirectory.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  port: String(port),
  timezone: 'UTC',
  log_timezone: 'UTC',
});

/** For `pg_ctl -o`, which hands the text to a shell. */
export const asShellOptions = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c '${`${name}=${value}`.replaceAll(`'`, `'\\''`)}'`)
    .join(' ');

/** As PostgreSQL records the options it was started with in `postmaster.opts`. */
export const asRecordedOptions = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `"-c" "${name}=${value}"`)
    .join(' ');
