import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { VersionCheck } from '../../../src/main/system/version-check.ts'
import { createApp } from '../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { artifact } from '../../support/builders/releases.ts'
import { publish } from '../../support/servers/calls.ts'
import { listenLocally } from '../../support/servers/listen.ts'
import { startServer } from '../../support/servers/server.ts'

const HOUR = 60 * 60_000
const START = Date.parse('2026-05-01T08:00:00Z')

/** A check whose clock, address and installed version the test sets; it notes what it is told. */
function versionCheck(server: string | null, file = join(temporaryFolder(), 'version.json')) {
  const state = { now: START, server, installed: '1.0.0', file }
  const found: string[] = []
  const failures: unknown[] = []
  const start = () =>
    new VersionCheck({
      file,
      version: state.installed,
      server: () => state.server,
      onFound: (version) => found.push(version),
      onFailure: (error) => failures.push(error),
      clock: () => state.now,
      fetch: (address, options) => fetch(address, options),
    })
  return { state, found, failures, start }
}

async function listen(answer: RequestListener): Promise<string> {
  return `http://${await listenLocally(createServer(answer))}`
}

async function tidegate() {
  const server = await startServer()
  await createApp(server.catalog, ACTOR, { ref: 'tidegate', name: 'Tidegate' })
  const release = async (version: string) => {
    const artifacts = [artifact({ platform: process.platform, arch: process.arch })]
    await publish(server, version, { app: 'tidegate', artifacts })
  }
  return { ...server, release }
}

test('asks a Tidegate server once a day, and reports each later version once', async () => {
  const server = await tidegate()
  const { state, found, start } = versionCheck(server.address)
  const check = start()
  expect(check.state).toEqual({ state: 'unchecked' })
  await check.askIfDue()
  expect(check.state).toEqual({ state: 'current', checkedAt: '2026-05-01T08:00:00.000Z' })

  await server.release('1.1.0')
  state.now += 23 * HOUR
  await start().askIfDue()
  expect(found).toEqual([])
  state.now += HOUR
  await check.askIfDue()
  state.now += 24 * HOUR
  await check.askIfDue()
  expect(found).toEqual(['1.1.0'])
  expect(check.state).toMatchObject({ state: 'available', version: '1.1.0' })

  // The next start is of the version that was installed since.
  state.installed = '1.1.0'
  expect(start().state).toMatchObject({ state: 'current' })
})

test('sends version and system, and nothing that identifies the installation', async () => {
  const requests: { url: string | undefined; headers: Record<string, unknown> }[] = []
  const address = await listen((request, response) => {
    requests.push({ url: request.url, headers: request.headers })
    response.writeHead(204).end()
  })
  await versionCheck(`${address}/`).start().askIfDue()
  expect(requests).toHaveLength(1)
  const [{ url, headers } = { url: '', headers: {} }] = requests
  expect(url).toBe(`/u/tidegate/stable/${process.platform}/${process.arch}/1.0.0`)
  expect(headers).not.toHaveProperty('x-service-device')
  expect(headers).not.toHaveProperty('cookie')
  expect(headers).not.toHaveProperty('authorization')
})

test('sends no request while it is off', async () => {
  const { state, failures, start } = versionCheck(null)
  const check = start()
  await check.askIfDue()
  expect(check.state).toEqual({ state: 'off' })
  // A request would be noted, and the next one be due a day later.
  state.server = await listen((_request, response) => void response.writeHead(204).end())
  await check.askIfDue()
  expect(check.state).toMatchObject({ state: 'current' })
  expect(failures).toEqual([])
})

describe('an answer that is invalid counts as the request of the day:', () => {
  const ANSWERS: Record<string, RequestListener> = {
    'an error': (_request, response) => void response.writeHead(500).end(),
    'not JSON': (_request, response) => void response.end('<html>'),
    'a redirect': (_request, response) =>
      void response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
    'a body without end': (_request, response) => {
      const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more))
      more()
    },
  }
  test.each(Object.keys(ANSWERS))('%s', async (name) => {
    let asked = 0
    const address = await listen((request, response) => {
      asked++
      ANSWERS[name]?.(request, response)
    })
    const { found, failures, start } = versionCheck(address)
    const check = start()
    await check.askIfDue()
    await check.askIfDue()
    expect(asked).toBe(1)
    expect(failures).toHaveLength(1)
    expect(found).toEqual([])
    expect(check.state).toMatchObject({ state: 'failed' })
  })
})

test('sends a request although the last one seems to be in the future', async () => {
  const address = await listen((_request, response) => void response.writeHead(204).end())
  const { state, start } = versionCheck(address)
  writeFileSync(state.file, JSON.stringify({ askedAt: START + 1_000 * HOUR }))
  const check = start()
  await check.askIfDue()
  expect(check.state).toMatchObject({ state: 'current', checkedAt: '2026-05-01T08:00:00.000Z' })
})

const Manifest = z.object({ devDependencies: z.object({ electron: z.string() }) })
const Installed = z.object({ version: z.string() })
const Lock = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
})
const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

test('one version of Electron is named, to the patch, locked and installed', () => {
  const named = Manifest.parse(read('package.json')).devDependencies.electron
  expect(named).toMatch(/^\d+\.\d+\.\d+$/)
  expect(Lock.parse(read('package-lock.json')).packages['node_modules/electron']?.version).toBe(
    named,
  )
  expect(Installed.parse(read('node_modules/electron/package.json')).version).toBe(named)
})
