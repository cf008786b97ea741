import type { RunningServer } from '../../../src/server/compose/running-server.ts'

const codes = new Map<string, string>()

/** Keeps the code of a console for this computer only. */
export function rememberCode({
  address,
  consoleCode,
}: Pick<RunningServer, 'address' | 'consoleCode'>): void {
  if (consoleCode !== null) codes.set(new URL(address).origin, consoleCode)
}

/** The cookie of a browser that was opened with the code of a server; undefined if that asks for none. */
export function codeCookie(address: string): string | undefined {
  const code = codes.get(new URL(address).origin)
  return code === undefined ? undefined : `tidegate-code=${code}`
}
