/** The version of the protocol (tus.io, 1.0.0). */
export const TUS_VERSION = '1.0.0'

/** What the server supports beyond the core of the protocol. */
export const TUS_EXTENSIONS = [
  'creation',
  'creation-with-upload',
  'termination',
  'expiration',
] as const
