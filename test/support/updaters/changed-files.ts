import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gunzipSync } from 'node:zlib'
import type { ServerConfigInput } from '../../../src/server/config.ts'
import { BlockMap } from '../../../src/server/hosting/block-maps/block-map.ts'
import { noise } from '../builders/noise.ts'
import { publish } from '../servers/calls.ts'
import { startHosting, uploadFile } from '../servers/hosting.ts'
import type { Hosted } from '../servers/patched.ts'
import { bucketPlace, type S3Server } from '../servers/s3-server.ts'
import type { TestServer } from '../servers/server.ts'
import { startTcpProxy } from '../servers/tcp-proxy.ts'
import { downloaded, startElectronUpdater, type UpdaterKind } from './electron-updater.ts'

export const MIB = 1_024 ** 2
/** What an update may cost of which one block has changed. */
export const MOST = 80 * 1_024

const FILES = {
  nsis: { platform: 'windows', arch: 'x86_64', name: 'Editor Setup 1.0.0.exe' },
  mac: { platform: 'darwin', arch: 'universal', name: 'Editor-1.0.0-universal-mac.zip' },
  appimage: { platform: 'linux', arch: 'x86_64', name: 'Editor-1.0.0.AppImage' },
} as const satisfies Readonly<Record<UpdaterKind, object>>

/** How devices reach the server, and the files of its releases. */
interface Hosts {
  readonly config?: Partial<ServerConfigInput>
  /** The server of the bucket in which the server keeps files. */
  readonly bucket?: Pick<S3Server, 'endpoint'>
  /** Starts what stands between devices and the server. Returns its address. */
  readonly front?: (server: string) => Promise<string>
  /** Starts another server for the files of a folder. */
  readonly elsewhere?: () => Promise<{ readonly folder: string; readonly address: string }>
  /** Returns how files get to the server; by the API without it. */
  readonly uploads?: (
    server: TestServer,
  ) => Promise<(content: Buffer, name: string) => Promise<Hosted>>
}

/** A server that devices reach by a network which counts, and which has versions of a file. */
export async function startWithVersions(
  kind: UpdaterKind,
  versions: Readonly<Record<string, Buffer>>,
  { config = {}, front, elsewhere, uploads, bucket }: Hosts = {},
) {
  const [network, files] = [
    await startTcpProxy('http://127.0.0.1:1'),
    await startTcpProxy('http://127.0.0.1:1'),
  ]
  const publicUrl = network.url.replace(/\/$/, '')
  const endpoint = files.url.replace(/\/$/, '')
  const place = bucket && { bucket: bucketPlace({ endpoint }) }
  if (bucket) files.redirect(bucket.endpoint)
  const server = await startHosting({ publicUrl, ...place }, { config })
  network.redirect((await front?.(server.address)) ?? server.address)
  const other = await elsewhere?.()
  const upload = await uploads?.(server)
  if (other) files.redirect(other.address)
  const { name: named, ...devices } = FILES[kind]
  const stored: Hosted[] = []
  for (const [version, content] of Object.entries(versions)) {
    const name = named.replace('1.0.0', version)
    const blockMapSize = kind === 'appimage' ? content.readUInt32BE(content.length - 4) : undefined
    let file = {
      url: `${files.url}${encodeURIComponent(name)}`,
      sha512: hash('sha512', content),
      size: content.length,
    }
    if (other) {
      writeFileSync(join(other.folder, name), content)
      const map = new BlockMap()
      map.add(content)
      if (kind !== 'appimage') writeFileSync(join(other.folder, `${name}.blockmap`), map.end())
    } else file = await (upload ?? ((...of) => uploadFile(server, ...of)))(content, name)
    stored.push(file)
    const { url, sha512, size } = file
    await publish(server, version, { artifacts: [{ ...devices, url, sha512, size, blockMapSize }] })
  }
  const update = async (installed: Buffer, query = '') => {
    const feed = `${publicUrl}/electron/editor/stable${query}`
    const several = bucket ? { useMultipleRangeRequest: false } : {}
    const updater = startElectronUpdater({ kind, feed, version: '1.0.0', installed, ...several })
    updater.autoDownload = false
    await updater.checkForUpdates()
    const before = network.received + files.received
    const file = await downloaded(updater)
    return { content: readFileSync(file), bytes: network.received + files.received - before }
  }
  return { server, network, update, files: stored }
}

/** The block map of a content, compressed by nothing. */
function blockMapOf(content: Buffer): Buffer {
  const map = new BlockMap()
  map.add(content)
  return gunzipSync(map.end())
}

/** The content with other bytes at the beginning of one block each, at or behind the positions. */
export function changed(content: Buffer, ...positions: number[]): Buffer {
  const copy = Buffer.from(content)
  const sizes: number[] = JSON.parse(blockMapOf(content).toString()).files[0].sizes
  const left = [...positions]
  let begin = 0
  for (const size of sizes) {
    if (begin >= (left[0] ?? Number.POSITIVE_INFINITY)) {
      // What decides where a block ends comes after its first 8,128 bytes.
      noise(4_096, String(left.shift())).copy(copy, begin)
    }
    begin += size
  }
  return copy
}

/** A file as electron-builder builds it: an AppImage ends with its block map. */
export function builtWith(kind: UpdaterKind, content: Buffer): Buffer {
  if (kind !== 'appimage') return content
  const embedded = deflateRawSync(blockMapOf(content), { level: 9 })
  const size = Buffer.alloc(4)
  size.writeUInt32BE(embedded.length)
  return Buffer.concat([content, embedded, size])
}
