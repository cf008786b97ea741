/** What is wrong with the connection URI of a database. */
export type DatabaseUrlProblem = 'address' | 'scheme' | 'place' | 'name' | 'tls'

/** What `sslmode` may be; the driver takes any other for encryption. */
const TLS_MODES: ReadonlySet<string> = new Set([
  ...['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'],
])

/**
 * Returns what is wrong with the connection URI of a PostgreSQL database, undefined for nothing. The host, or the folder
 * of a socket, is part of the address or the parameter `host`.
 */
export function databaseUrlProblem(url: string): DatabaseUrlProblem | undefined {
  const parsed = parse(url)
  if (!/^postgres(ql)?:\/\//.test(url)) return 'scheme'
  if (parsed === undefined) return 'address'
  if (hostOf(parsed) === '') return 'place'
  if (nameOf(parsed) === '') return 'name'
  const mode = parsed.searchParams.get('sslmode')
  return mode === null || TLS_MODES.has(mode) ? undefined : 'tls'
}

/** Returns whether a connection URI contains a password. */
export function hasPassword(url: string): boolean {
  const parsed = parse(url)
  if (parsed === undefined) return true
  return parsed.password !== '' || parsed.searchParams.has('password')
}

/** Returns a connection URI as people may read it: without user, password and parameters. */
export function locationOf(url: string): string {
  const parsed = parse(url)
  if (parsed === undefined) return 'postgres://'
  const host = hostOf(parsed)
  const shown = host.startsWith('/') ? encodeURIComponent(host) : host
  const port = parsed.searchParams.get('port') ?? parsed.port
  return `postgres://${shown}${port === '' ? '' : `:${port}`}/${nameOf(parsed)}`
}

/** Returns the place of a storage for people: the data folder, or the database without its password. */
export function placeOf(config: { dataFolder: string; database?: string | undefined }): string {
  return config.database === undefined ? config.dataFolder : locationOf(config.database)
}

function parse(url: string): URL | undefined {
  // A user without a host, for a socket, is no address of the web.
  return URL.parse(url) ?? URL.parse(url.replace('@/', `@${NO_HOST}/`)) ?? undefined
}

const NO_HOST = 'no-host.invalid'

function hostOf({ hostname, searchParams }: URL): string {
  const named = searchParams.get('host') ?? ''
  if (named !== '') return named
  return hostname === NO_HOST ? '' : decoded(hostname)
}

function nameOf({ pathname }: URL): string {
  return pathname.slice(1)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
