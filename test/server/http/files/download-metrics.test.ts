import { expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import {
  builtFile,
  downloadUrl,
  startHosting,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import { asking, releaseTwo } from '../../../support/servers/patched.ts'
import { bucketPlace, startS3, stubCredentials } from '../../../support/servers/s3-server.ts'
import type { TestServer } from '../../../support/servers/server.ts'

const SIZE = 100_000
const config = { metrics: { host: '127.0.0.1', port: 0 } }

/** The series of downloads, by kind or without one, that are not 0. */
async function counted(server: TestServer): Promise<Record<string, number>> {
  const text = await (await fetch(server.metricsAddress ?? '')).text()
  const lines = text.split('\n').flatMap((line) => {
    const [, name, kind = '', value] =
      /^tidegate_(download\w+)_total(?:\{kind="(\w+)"\})? (\d+)$/.exec(line) ?? []
    return name === undefined || value === '0' ? [] : [[`${name} ${kind}`.trim(), Number(value)]]
  })
  return Object.fromEntries(lines)
}

async function start(name = 'Editor-1.0.0.AppImage') {
  const server = await startHosting({}, { config })
  const url = downloadUrl(server, await uploadFile(server, builtFile(SIZE).content, name))
  const get = async (range?: string, method = 'GET') => {
    const response = await fetch(url, { method, headers: range === undefined ? {} : { range } })
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength }
  }
  return { server, url, get }
}

test('downloads are counted by what they send, and what several parts leave out is saved', async () => {
  const { server, get } = await start()
  expect(await counted(server)).toEqual({})
  expect((await get()).bytes).toBe(SIZE)
  expect((await get('bytes=90000-')).bytes).toBe(10_000)
  expect((await get('bytes=0-999')).bytes).toBe(1_000)
  const several = await get('bytes=0-999,5000-5999,99000-99999')
  await get('bytes=200000-')
  await get(undefined, 'HEAD')
  await eventually(async () => {
    expect(await counted(server)).toEqual({
      ...{ 'downloads file': 1, 'download_bytes file': SIZE },
      ...{ 'downloads part': 3, 'download_bytes part': 11_000 + several.bytes },
      download_saved_bytes: SIZE - 3_000,
    })
  })
})

test('a delta package is counted as one', async () => {
  const { server, get } = await start('Editor-1.0.0-delta.nupkg')
  await get()
  await eventually(async () => {
    expect(await counted(server)).toEqual({ 'downloads delta': 1, 'download_bytes delta': SIZE })
  })
})

test('a patch is counted as one, with what it saves of the file', async () => {
  const server = await startHosting({}, { config })
  const { base, next, file } = await releaseTwo(server)
  const patch = await fetch(downloadUrl(server, file), { headers: asking(base) })
  const size = (await patch.arrayBuffer()).byteLength
  expect(size).toBeLessThan(20_000)
  await eventually(async () => {
    expect(await counted(server)).toEqual({
      ...{ 'downloads patch': 1, 'download_bytes patch': size },
      download_saved_bytes: next.length - size,
    })
  })
})

test('what a bucket sends is not counted, nor what is not sent', async () => {
  stubCredentials()
  const server = await startHosting({ bucket: bucketPlace(await startS3()) }, { config })
  const url = downloadUrl(server, await uploadFile(server, builtFile(SIZE).content))
  const { status } = await fetch(url, { redirect: 'manual' })
  expect(status).toBe(302)
  expect((await fetch(`${url}x`)).status).toBe(404)
  expect(await counted(server)).toEqual({})
})
