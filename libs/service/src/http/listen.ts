export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Runs `listen`; a port that cannot be had ends the process with one line that says what to do, exit code 1. */
export async function listenOrExit(address: Address, listen: () => Promise<unknown>): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const line = explainListenError(error, address);
    if (line === undefined) throw error;
    process.stderr.write(`${line}\n`);
    process.exit(1);
  }
}

/** The line for a person; undefined where the error is none of listening. */
export function explainListenError(error: unknown, { host, port }: Address): string | undefined {
  // By shape: an error of another realm is no `instanceof Error`.
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const where = `WRIT_HTTP_PORT: port ${port} on ${host}`;
  if (code === 'EADDRINUSE') return `${where} is in use; stop what listens there or set another port.`;
  if (code === 'EACCES')
    return `${where} needs rights that this process does not have; set a port above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `WRIT_HTTP_HOST: this machine has no address ${host}; set 127.0.0.1 or one of its own.`;
  }
  return undefined;
}
