import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ServerParts } from '../../../src/server/compose/running-server.ts'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { temporaryFolder } from '../builders/folders.ts'
import { startWithApp, type TestServer } from './server.ts'

/** Where a test server says that devices find it. */
export const PUBLIC_URL = 'https://updates.studio.example'

export interface HostingServer extends TestServer {
  /** Of the stored files and the uploads. */
  readonly artifacts: string
}

/** For stored files without a server, of which no patches are made. */
export const noPatches = { maxBytes: 0, catalog: () => UNCHANGED, wanted: () => [] }
const UNCHANGED = {}

type Hosting = NonNullable<ServerConfigInput['hosting']>

/** A server with the app `editor` that keeps files. */
export async function startHosting(
  hosting: Partial<Hosting> = {},
  { log, parts, config = {} }: HostingOptions = {},
): Promise<HostingServer> {
  const artifacts = hosting.folder ?? join(temporaryFolder(), 'artifacts')
  const server = await startWithApp(
    { ...config, hosting: { publicUrl: PUBLIC_URL, ...hosting, folder: artifacts } },
    log,
    parts,
  )
  return { ...server, artifacts }
}

interface HostingOptions {
  readonly log?: Logger
  readonly parts?: ServerParts
  readonly config?: Partial<ServerConfigInput>
}

/** A file that no other test has, and its SHA-512 in hex. */
export function builtFile(bytes: number) {
  const content = randomBytes(bytes)
  return { content, sha512: createHash('sha512').update(content).digest('hex') }
}

/** Metadata of an upload as the tus protocol writes it. */
export function metadataOf(members: Readonly<Record<string, string>>): string {
  return Object.entries(members)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

const TUS = { 'tus-resumable': '1.0.0' }
const CHUNK = { ...TUS, 'content-type': 'application/offset+octet-stream' }

interface Begun {
  readonly name?: string
  readonly size: number
  readonly sha512?: string | undefined
  readonly key?: string
}

/** Sends requests of the tus protocol as they are, to look at each answer. */
export function tusOf({ address, key: ownKey }: Pick<TestServer, 'address' | 'key'>) {
  const send = async (
    method: string,
    url: string,
    headers: Readonly<Record<string, string>>,
    body?: Uint8Array<ArrayBuffer>,
    key = ownKey,
  ) => {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, url }
  }
  const uploads = `${address}/api/v1/uploads`
  return {
    async begin({ name = 'Editor-1.0.0.AppImage', size, sha512, key }: Begun) {
      const metadata = { filename: name, ...(sha512 === undefined ? {} : { sha512 }) }
      const headers = {
        ...TUS,
        'upload-length': String(size),
        'upload-metadata': metadataOf(metadata),
      }
      const answer = await send('POST', uploads, headers, undefined, key)
      const location = answer.headers.get('location') ?? ''
      return { ...answer, url: new URL(location, uploads).href }
    },
    append: (url: string, offset: number, content: Buffer, key?: string) =>
      send(
        'PATCH',
        url,
        { ...CHUNK, 'upload-offset': String(offset) },
        new Uint8Array(content),
        key,
      ),
    state: (url: string, key?: string) => send('HEAD', url, TUS, undefined, key),
    remove: (url: string, key?: string) => send('DELETE', url, TUS, undefined, key),
  }
}

/** Uploads a file and returns it as the server describes it. */
export async function uploadFile(
  server: Pick<TestServer, 'address' | 'key'>,
  content: Buffer,
  name?: string,
) {
  const tus = tusOf(server)
  const { url } = await tus.begin({ size: content.length, ...(name === undefined ? {} : { name }) })
  return JSON.parse((await tus.append(url, 0, content)).text).file
}

/** Where a stored file is downloaded from a test server itself. */
export function downloadUrl({ address }: Pick<TestServer, 'address'>, file: { url: string }) {
  return file.url.replace(PUBLIC_URL, address)
}
