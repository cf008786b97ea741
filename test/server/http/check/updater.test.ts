import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { codePoint } from '../../../support/builders/code-point.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { type ClientUpdate, clientUrl, compareAsClient, readAsClient } from './updater-client.ts'

const LINUX = { platform: 'linux', arch: 'x86_64' }

/** A check as the client sends it, and what the client makes of the answer. */
async function checkAsClient(
  { address }: TestServer,
  version: string,
  channel = 'stable',
): Promise<ClientUpdate | null> {
  const response = await fetch(clientUrl(address, 'editor', channel, version), {
    redirect: 'error',
    headers: { accept: 'application/json', 'x-service-device': 'updater' },
  })
  const body = Buffer.from(await response.arrayBuffer())
  return readAsClient({ status: response.status, body }, version)
}

const number = fc.oneof(
  { weight: 5, arbitrary: fc.nat({ max: 3 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('9007199254740991', '4294967296') },
)
const word = fc.constantFrom('rc', 'beta', 'a', 'A', '-', '0a', '1-', 'x-1')
const buildNumber = fc.constantFrom('0', '7', '10', '20260314092653589123', '20260314092653589124')
const list = (part: fc.Arbitrary<string>) =>
  fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
const version = fc
  .tuple(
    fc.tuple(number, number, number).map((parts) => parts.join('.')),
    fc.option(list(fc.oneof(number, word)), { nil: '' }),
    fc.option(list(fc.oneof(buildNumber, word)), { nil: '' }),
  )
  .map(([core, prerelease, build]) => {
    const tail = build === '' ? '' : `+${build}`
    return prerelease === '' ? core + tail : `${core}-${prerelease}${tail}`
  })

/** What the client of the first test runs; nothing is lower, so all else is an update to it. */
const LOWEST = '0.0.0-0'

const release = fc.record({
  version: version.filter((text) => text !== LOWEST),
  notes: fc.option(fc.string({ unit: codePoint, maxLength: 200 }), { nil: undefined }),
  signature: fc.option(fc.string({ maxLength: 100 }), { nil: undefined }),
  size: fc.option(fc.nat(), { nil: undefined }),
  path: fc.webPath(),
})

describe('the updater client', () => {
  test('understands every release that can be published', async () => {
    const server = await startWithApp()
    let channels = 0
    await fc.assert(
      fc.asyncProperty(release, async ({ version, notes, path, ...optional }) => {
        const channel = `channel-${channels++}`
        await createChannel(server.catalog, ACTOR, { app: 'editor', name: channel })
        const url = `https://downloads.example/${path}`
        const given = Object.entries({ ...LINUX, url, ...optional })
        const members = Object.fromEntries(given.filter(([, value]) => value !== undefined))
        const body = {
          channel,
          artifacts: [artifact(members)],
          ...(notes === undefined ? {} : { notes }),
        }
        const published = await publish(server, version, body)

        const update = await checkAsClient(server, LOWEST, channel)
        expect(update).toMatchObject({
          version,
          notes: (notes ?? '').toWellFormed(),
          signature: (optional.signature ?? '').trim(),
          date: new Date(published.createdAt),
        })
        expect(update?.url.href).toBe(new URL(url).href)
        expect(await checkAsClient(server, version, channel)).toBeNull()
      }),
      { numRuns: 40, examples: [[extreme]] },
    )
  })

  test('is offered only what it considers newer', async () => {
    const server = await startWithApp()
    const versions = fc.uniqueArray(version, { minLength: 14, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(versions, async (drawn) => {
        const ascending = drawn.toSorted(compareAsClient)
        for (const version of drawn)
          await publish(server, version, { artifacts: [artifact(LINUX)] })
        for (let at = ascending.length - 1; at > 0; at--) {
          const [below = '', newest = ''] = ascending.slice(at - 1, at + 1)
          expect(await checkAsClient(server, newest), newest).toBeNull()
          expect((await checkAsClient(server, below))?.version, below).toBe(newest)
          await serve(server, newest, { status: 'paused' })
        }
      }),
      // One channel: every version of the app's life is published once.
      { numRuns: 1 },
    )
  })

  test('sends build metadata percent-encoded, and gets it back as it was published', async () => {
    const server = await startWithApp()
    await publish(server, '1.2.3-rc.1+build.7', { artifacts: [artifact(LINUX)] })
    const current = '1.2.3-rc.1+build.6'
    expect(clientUrl('', 'editor', 'stable', current)).toMatch(/1\.2\.3-rc\.1%2Bbuild\.6$/)
    expect((await checkAsClient(server, current))?.version).toBe('1.2.3-rc.1+build.7')
    expect(await checkAsClient(server, '1.2.3-rc.1+build.7')).toBeNull()
    expect(await checkAsClient(server, '1.2.3-rc.1+build.10')).toBeNull()
  })

  test('downgrades if its version was rolled back', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [artifact(LINUX)] })
    await publish(server, '2.0.0', { artifacts: [artifact(LINUX)] })
    await serve(server, '2.0.0', { status: 'rolled_back' })
    expect((await checkAsClient(server, '2.0.0'))?.version).toBe('1.0.0')
  })

  test('takes an error for an error, never for an update', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [artifact(LINUX)] })
    await expect(checkAsClient(server, '0.1')).rejects.toThrow('status 400')
    await expect(checkAsClient(server, '0.1.0', 'beta')).rejects.toThrow('status 404')
  })
})

const extreme = {
  version: `1.0.0-${'a'.repeat(200)}+${'7'.repeat(40)}`,
  notes: 'a character \ud83c\udf89, \u2028, \0 and "name": "2.0.0"',
  signature: '"\\\n"',
  size: 2 ** 53 - 1,
  path: '?a=1&b=%20#%C3%BC',
}

describe('the client of this test', () => {
  const good = { version: '2.0.0', url: 'https://x.example/', signature: '' }
  const read = (members: object, status = 200) =>
    readAsClient({ status, body: Buffer.from(JSON.stringify({ ...good, ...members })) }, '1.0.0')

  test('accepts what the real client accepts', () => {
    expect(read({})).toMatchObject({ version: '2.0.0', notes: null, date: null })
    expect(read({ platforms: null, more: 1, pub_date: '2026-03-14T09:26:53+01:00' })).not.toBeNull()
    expect(read({ version: 'v2.0.0' })).toMatchObject({ version: '2.0.0' })
    expect(read({ version: '1.0.0' })).toBeNull()
    expect(readAsClient({ status: 204, body: Buffer.alloc(0) }, '1.0.0')).toBeNull()
  })

  test('rejects what the real client rejects', () => {
    expect(() => read({ name: '2.0.0' })).toThrow('duplicate field')
    expect(() => read({ version: '2.0' })).toThrow('no version')
    expect(() => read({ signature: null })).toThrow('signature')
    expect(() => read({ url: '/relative' })).toThrow()
    expect(() => read({ pub_date: '2026-03-14T09:26:53' })).toThrow('pub_date')
    expect(() => read({ platforms: {} })).toThrow('platforms')
    expect(() => read({}, 304)).toThrow('304')
    expect(() => read({ notes: '\ud83c' })).toThrow('half')
    expect(() => readAsClient({ status: 204, body: Buffer.from(' ') }, '1.0.0')).toThrow('204')
    expect(() => readAsClient({ status: 200, body: Buffer.alloc(0) }, '1.0.0')).toThrow()
  })
})
