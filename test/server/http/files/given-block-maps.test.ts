import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { BlockMap } from '../../../../src/server/hosting/block-maps/block-map.ts'
import { evenBlockMap } from '../../../support/builders/block-maps.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish } from '../../../support/servers/calls.ts'
import {
  downloadUrl,
  type HostingServer,
  startHosting,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import { bucketPlace, startS3, stubCredentials } from '../../../support/servers/s3-server.ts'

const NAME = 'Editor-1.0.0.exe'

/** What the map of the uploaded file is, as devices get it. */
async function served(server: HostingServer, file: { url: string; sha512: string; size: number }) {
  const artifacts = [{ platform: 'windows', arch: 'x86_64', ...pick(file) }]
  await publish(server, '1.0.0', { artifacts })
  const response = await fetch(`${downloadUrl(server, file)}.blockmap`)
  expect(response.status).toBe(200)
  return gunzipSync(Buffer.from(await response.arrayBuffer())).toString()
}

const pick = ({ url, sha512, size }: { url: string; sha512: string; size: number }) => ({
  url,
  sha512,
  size,
})

const madeOf = (content: Buffer) => {
  const map = new BlockMap()
  map.add(content)
  return gunzipSync(map.end()).toString()
}

const taken = (content: Buffer) => {
  const { sent: _, ...map } = JSON.parse(gunzipSync(evenBlockMap(content)).toString())
  return JSON.stringify(map)
}

test.each(['before', 'after'])(
  'a block map that is uploaded %s its file is taken',
  async (order) => {
    const server = await startHosting()
    const content = randomBytes(95_000)
    const upload = async () => await uploadFile(server, evenBlockMap(content), `${NAME}.blockmap`)
    if (order === 'before') await upload()
    const file = await uploadFile(server, content, NAME)
    if (order === 'after') await upload()
    // At once, because what nothing names is deleted after a day.
    await eventually(() => {
      expect(readdirSync(join(server.artifacts, 'blockmaps'))).toEqual([file.sha512])
    })
    expect(await served(server, file)).toBe(taken(content))
  },
)

test('of several with one name, that of the file is taken', async () => {
  const server = await startHosting()
  const content = randomBytes(40_000)
  await uploadFile(server, evenBlockMap(content), `${NAME}.blockmap`)
  await uploadFile(server, evenBlockMap(randomBytes(40_000)), `${NAME}.blockmap`)
  const file = await uploadFile(server, content, NAME)
  expect(await served(server, file)).toBe(taken(content))
})

const changed = (content: Buffer) => {
  const other = Buffer.from(content)
  other[39_999] = (other[39_999] ?? 0) ^ 1
  return other
}

test.each<[string, (content: Buffer) => Buffer]>([
  ['of another file', (content) => evenBlockMap(changed(content))],
  ['of a shorter file', (content) => evenBlockMap(content.subarray(0, 30_000))],
  ['of a longer file', (content) => evenBlockMap(Buffer.concat([content, content]))],
  ['with blocks that are too small', (content) => evenBlockMap(content, 4_000)],
  ['with a block that is too large', (content) => evenBlockMap(content, 40_000)],
  ['with checksums missing', (content) => evenBlockMap(content, 10_000, { checksums: [] })],
  ['at another offset', (content) => evenBlockMap(content, 10_000, { offset: 1 })],
  ['that is none', () => Buffer.from('not compressed')],
  ['that is larger than any', () => gzipSync(Buffer.alloc(30 * 1_024 ** 2, ' '))],
])('a block map %s is named in the log, and one is made', async (_, mapOf) => {
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const server = await startHosting({}, { log })
  const content = randomBytes(40_000)
  await uploadFile(server, mapOf(content), `${NAME}.blockmap`)
  const file = await uploadFile(server, content, NAME)
  expect(await served(server, file)).toBe(madeOf(content))
  // The map is there before the thread has answered.
  await eventually(() => {
    const logged = lines.map((line) => JSON.parse(line))
    expect(logged.filter(({ msg }) => msg.includes('block map'))).toMatchObject([
      { msg: 'an uploaded block map is not of its file', name: `${NAME}.blockmap`, file: NAME },
    ])
  })
})

test('one that is uploaded to a bucket is taken, too', async () => {
  stubCredentials()
  const server = await startHosting({ bucket: bucketPlace(await startS3()) })
  const content = randomBytes(40_000)
  await uploadFile(server, evenBlockMap(content), `${NAME}.blockmap`)
  const file = await uploadFile(server, content, NAME)
  expect(await served(server, file)).toBe(taken(content))
})
