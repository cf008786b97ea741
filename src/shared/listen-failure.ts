import type { ListenFailure } from './start-failure.ts'

/** Returns why the server cannot listen at an address; undefined if that is not what was thrown. */
export function listenFailure(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: number },
): ListenFailure | undefined {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return undefined
  if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') return undefined
  switch (error.code) {
    case 'EADDRINUSE':
      return { code: 'port_in_use', host, port }
    case 'EACCES':
      return { code: 'port_forbidden', host, port }
    case 'EADDRNOTAVAIL':
    // IPv6 is off, or a link-local address has no interface.
    case 'EAFNOSUPPORT':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { code: 'unknown_address', host }
    default:
      return undefined
  }
}
