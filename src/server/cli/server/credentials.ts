import { hash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import envPaths from 'env-paths'
import { z } from 'zod'
import { whileHeldSync } from '../../../shared/basics/held-file.ts'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { Fingerprint } from '../../../shared/console/desktop/remote-servers.ts'
import { Failure } from '../command/errors.ts'
import { text } from '../strings/server.ts'

/** What the command line remembers of a server: who signed in, and which certificate it has. */
export const Credentials = z.strictObject({
  server: z.url(),
  /** The one certificate that is accepted; null if the system's authorities vouch for it, or without TLS. */
  fingerprint: Fingerprint.nullable(),
  token: z.string(),
  name: z.string(),
  expiresAt: z.iso.datetime(),
})
export type Credentials = z.infer<typeof Credentials>

/** Returns what is remembered of a server, undefined if nothing is. Throws `Failure` for a file that is unreadable. */
export function readCredentials(server: string): Credentials | undefined {
  const file = fileOf(server)
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const { data } = Credentials.safeParse(parsedJson(content))
  if (data === undefined) throw new Failure(text.credentialsUnreadable(file))
  return data
}

/** Remembers a server, in a file that this account alone can read. Returns the file. */
export function writeCredentials(credentials: Credentials): string {
  const file = fileOf(credentials.server)
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  // A file that exists keeps its mode: a new one takes its place.
  const draft = `${file}.${randomUUID()}`
  try {
    writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    whileHeldSync(process.platform, () => renameSync(draft, file))
  } finally {
    rmSync(draft, { force: true })
  }
  return file
}

/** Forgets a server. Does nothing if it is not remembered. */
export function removeCredentials(server: string): void {
  rmSync(fileOf(server), { force: true })
}

function folder(): string {
  return join(envPaths('tidegate', { suffix: '' }).config, 'servers')
}

function fileOf(server: string): string {
  const { host } = new URL(server)
  const name = host.replaceAll(/[^\w.-]/g, '_')
  return join(folder(), `${name}-${hash('sha256', server, 'hex').slice(0, 12)}.json`)
}
