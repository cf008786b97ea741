import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { noise } from '../builders/noise.ts'
import { eventually } from '../eventually.ts'
import { check, publish } from './calls.ts'
import { downloadUrl, type HostingServer, uploadFile } from './hosting.ts'

/** A file of a release on the server. */
export interface Hosted {
  readonly url: string
  readonly sha512: string
  readonly size: number
}

/** What a client that has a file sends to get a patch. */
export function asking(base: Buffer): Record<string, string> {
  const hash = createHash('sha256').update(base).digest('base64')
  return { 'accept-encoding': 'gzip, dcz', 'available-dictionary': `:${hash}:` }
}

/** Publishes a release with one file for darwin/arm64, and has a device ask for it, so that the release was offered. */
export async function release(
  server: HostingServer,
  version: string,
  content: Buffer,
  name = `Editor-${version}.zip`,
): Promise<Hosted> {
  const file: Hosted = await uploadFile(server, content, name)
  const { url, sha512, size } = file
  const artifacts = [{ platform: 'darwin', arch: 'arm64', url, sha512, size }]
  await publish(server, version, { artifacts })
  await check(server, '0.0.1')
  return file
}

/** Publishes two versions, of which the second has another 16 KiB in its middle, and waits for the patch between them. */
export async function releaseTwo(server: HostingServer, bytes = 300_000) {
  const base = noise(bytes, 'base')
  const next = Buffer.from(base)
  noise(16_384, 'new').copy(next, Math.floor(bytes / 2))
  const old = await release(server, '1.0.0', base)
  const file = await release(server, '1.1.0', next)
  await patchBetween(server, file, base)
  return { base, next, old, file }
}

/** Waits until the server has a patch. */
export async function patchBetween(server: HostingServer, file: Hosted, base: Buffer) {
  await eventually(async () => {
    const answer = await fetch(downloadUrl(server, file), { method: 'HEAD', headers: asking(base) })
    expect(answer.headers.get('content-encoding')).toBe('dcz')
  })
}
