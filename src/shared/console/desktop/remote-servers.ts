import { z } from 'zod'
import { OwnName } from '../../names.ts'

/** Most servers that the desktop app remembers, beside its own. */
export const MAX_REMOTE_SERVERS = 20

/** The colors that tell servers apart; text on them is white. */
export const ServerColor = z.enum(['blue', 'violet', 'pink', 'orange', 'olive', 'slate'])
export type ServerColor = z.infer<typeof ServerColor>

/** The SHA-256 fingerprint of a certificate, as OpenSSL writes it: `AB:12:…`. */
export const Fingerprint = z
  .string()
  .regex(/^[\dA-F]{2}(?::[\dA-F]{2}){31}$/, 'must be a SHA-256 fingerprint')
export type Fingerprint = z.infer<typeof Fingerprint>

/** A server that the desktop app connects to, beside its own. */
export const RemoteServer = z.strictObject({
  id: z.uuid(),
  name: OwnName,
  color: ServerColor,
  /** Without a slash at its end; it may have a path: `https://studio.example/tidegate`. */
  address: z.url({ protocol: /^https?$/ }),
  /** The one certificate that is accepted; null if the system's authorities vouch for it, or without TLS. */
  pin: Fingerprint.nullable(),
})
export type RemoteServer = z.infer<typeof RemoteServer>

/** A server as the page shows it. */
export interface ListedServer extends RemoteServer {
  /** The account that is signed in; null if nobody is. */
  readonly signedInAs: string | null
}

/** The servers of the desktop app. */
export interface ServersView {
  /** Which one is in use; null for the one of this computer. */
  readonly current: string | null
  readonly servers: readonly ListedServer[]
}

/** Why a server cannot be connected to. `detail`: what the system reported, if it says more. */
export const ConnectionFailure = z.strictObject({
  reason: z.enum([
    'unknown_name',
    'connection_refused',
    'timed_out',
    'unreachable',
    /** It speaks plain HTTP where TLS was asked for. */
    'not_tls',
    /** Its certificate is not trusted. */
    'certificate',
    /** It is a server without a console, or one that offers it to others only. */
    'no_console',
    'not_allowed',
    /** It does not know the name that it is reached under. */
    'unknown_host',
    'too_many_requests',
    'not_set_up',
    'answer_too_large',
    'not_tidegate',
  ]),
  detail: z.string(),
})
export type ConnectionFailure = z.infer<typeof ConnectionFailure>

/** A server to add. */
export const ServerToAdd = z.strictObject({
  address: z.string().max(2_000),
  name: OwnName,
  color: ServerColor,
  /** The fingerprint that the person has compared. */
  pin: Fingerprint.nullable(),
  /** Whether the person agreed to passwords and sessions without encryption. */
  allowPlainHttp: z.boolean(),
})
export type ServerToAdd = z.infer<typeof ServerToAdd>

/** What became of a server to add. */
export const AddOutcome = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('added'), id: z.uuid() }),
  /** Nothing was added, because the person has to look first: at the certificate, or at what plain HTTP means. */
  z.strictObject({ outcome: z.literal('untrusted'), fingerprint: Fingerprint, reason: z.string() }),
  z.strictObject({ outcome: z.literal('plain_http') }),
  z.strictObject({ outcome: z.enum(['invalid_address', 'already_added', 'too_many']) }),
  z.strictObject({ outcome: z.literal('failed'), failure: ConnectionFailure }),
])
export type AddOutcome = z.infer<typeof AddOutcome>

/** What a sign-in led to. What the server refuses is an error of the call. */
export const RemoteSignIn = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('signed_in') }),
  /** The console is for its own computer only, and this app has not signed in before, nor sent the right code. */
  z.strictObject({ outcome: z.literal('code_needed') }),
  z.strictObject({
    outcome: z.literal('second_factor'),
    challenge: z.string(),
    methods: z.array(z.enum(['totp', 'recovery_code'])),
  }),
  z.strictObject({ outcome: z.literal('failed'), failure: ConnectionFailure }),
])
export type RemoteSignIn = z.infer<typeof RemoteSignIn>
