import { z } from 'zod'
import { StorageProblem } from './storage-problem.ts'

/** Why a server cannot listen at its address. */
export const ListenFailure = z.discriminatedUnion('code', [
  z.strictObject({ code: z.literal('port_in_use'), host: z.string(), port: z.int() }),
  /** The account is not permitted to listen on that port. */
  z.strictObject({ code: z.literal('port_forbidden'), host: z.string(), port: z.int() }),
  /** No network interface of the computer has that address. */
  z.strictObject({ code: z.literal('unknown_address'), host: z.string() }),
])
export type ListenFailure = z.infer<typeof ListenFailure>

/** Why a server did not start. It does not start by itself either: a person has to change something. */
export const StartFailure = z.discriminatedUnion('code', [
  ...ListenFailure.options,
  /** The certificate or its key cannot be read or used; `detail` is what OpenSSL or the system reported. */
  z.strictObject({ code: z.literal('tls'), detail: z.string() }),
  z.strictObject({ code: z.literal('storage'), problem: StorageProblem }),
  /** Its process ended before it was ready. */
  z.strictObject({ code: z.literal('ended'), exitCode: z.int() }),
  z.strictObject({ code: z.literal('other'), detail: z.string() }),
])
export type StartFailure = z.infer<typeof StartFailure>

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
