import { types } from 'node:util';

const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
/** PostgreSQL: connection exceptions (class 08), shutdown and start-up (57P01–57P03), too many connections (53300). */
const SQLSTATE = /^(08...|57P0[123]|53300)$/;
/** The driver has no code for these two. */
const DRIVER = /^(Connection terminated|timeout exceeded when trying to connect)/;

/** Whether a failure only says that the database is out of reach. A socket file that is missing counts; any other missing file does not. */
export const isConnectionLoss = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return syscall === 'connect';
  return code === undefined ? DRIVER.test(message) : SOCKET.has(code) || SQLSTATE.test(code);
};
