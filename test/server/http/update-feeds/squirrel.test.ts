import { describe, expect, test } from 'vitest'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { expectError, publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const SHA1 = '94689FEDE03FED7AB59C24337673A27837F0C3EC'
const ZIP = artifact({ platform: 'darwin', arch: 'universal', url: 'https://a.example/Editor.zip' })

function nupkg(version: string, members: Readonly<Record<string, unknown>> = {}) {
  const name = `Editor-${version}-full.nupkg`
  const url = `https://a.example/${name}`
  return artifact({
    platform: 'win32',
    arch: 'x64',
    url,
    signature: `${SHA1} ${name} 42`,
    ...members,
  })
}

function ask(server: TestServer, path: string, headers: Readonly<Record<string, string>> = {}) {
  return server.call('GET', `/squirrel/editor/stable/${path}`, { key: null, headers })
}

describe('Squirrel.Mac', () => {
  test('gets the zip of an update, and a date that it can read', async () => {
    const server = await startWithApp()
    const artifacts = [ZIP]
    const { createdAt } = await publish(server, '1.1.0', { artifacts, notes: 'Fixes.' })
    const { status, body } = await ask(server, 'darwin/arm64/1.0.0')
    expect(status).toBe(200)
    expect(body).toEqual({
      url: 'https://a.example/Editor.zip',
      name: '1.1.0',
      notes: 'Fixes.',
      pub_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    })
    expect(Date.parse(body.pub_date)).toBe(Math.floor(Date.parse(createdAt) / 1000) * 1000)
  })

  test('gets 204 for no update: it would install whatever it gets', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [ZIP] })
    await publish(server, '1.2.0', { artifacts: [{ ...ZIP, url: 'https://a.example/E.dmg' }] })
    for (const version of ['1.1.0', '1.2.0', '9.0.0']) {
      const { status, text } = await ask(server, `darwin/x64/${version}`)
      expect([status, text], version).toEqual([204, ''])
    }
    await serve(server, '1.2.0', { status: 'rolled_back' })
    expect((await ask(server, 'darwin/x64/1.2.0')).body.name).toBe('1.1.0')
  })

  test('is in a rollout by the header or, without headers, by the query', async () => {
    const server = await startWithApp()
    const { id } = await publish(server, '1.1.0', { artifacts: [ZIP], rolloutPct: 50 })
    const [inside, outside] = [deviceWithin(id, 0, 0.5), deviceWithin(id, 0.5, 1)]
    const path = 'darwin/arm64/1.0.0'
    expect((await ask(server, path, { 'x-service-device': inside })).status).toBe(200)
    expect((await ask(server, path, { 'x-service-device': outside })).status).toBe(204)
    expect((await ask(server, `${path}?device=${inside}`)).status).toBe(200)
    expect(expectError(await ask(server, `${path}?device=%20`), 400)).toMatch(/^device: /)
  })
})

describe('Squirrel.Windows', () => {
  /** A line as `ReleaseEntry.cs` reads it. */
  const LINE = /^([0-9a-fA-F]{40})\s+(\S+)\s+(\d+)[\r]*$/

  async function packageFor(server: TestServer, version: string, query = '') {
    const { status, text } = await ask(server, `win32/x64/${version}/RELEASES${query}`)
    if (status === 404) return null
    const [line = '', ...more] = text.split('\n').filter((each) => each.trim() !== '')
    expect(more).toEqual([])
    const [, sha1, url, size] = LINE.exec(line) ?? []
    expect([sha1, size]).toEqual([SHA1, '42'])
    return url
  }

  test('gets one package, with SHA-1, absolute address and size', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [nupkg('1.0.0')] })
    const url = 'https://a.example/Editor-1.1.0-full.nupkg'
    await publish(server, '1.1.0', { artifacts: [nupkg('1.1.0', { url: `${url}#x64` })] })
    await publish(server, '1.2.0', { artifacts: [nupkg('1.2.0', { signature: '' })] })
    const sent = '?id=Editor&localVersion=1.0.0&arch=amd64'
    expect(await packageFor(server, '1.0.0', sent)).toBe(url)
  })

  test('gets a package without an update too, because it fails on an empty file', async () => {
    const server = await startWithApp()
    const url = (version: string) => `https://a.example/Editor-${version}-full.nupkg`
    await publish(server, '1.0.0', { artifacts: [nupkg('1.0.0')] })
    await publish(server, '1.1.0', { artifacts: [nupkg('1.1.0')], rolloutPct: 10 })
    expect(await packageFor(server, '1.1.0')).toBe(url('1.1.0'))
    expect(await packageFor(server, '9.0.0')).toBe(url('1.0.0'))
    const { status } = await ask(server, 'win32/arm64/1.0.0/RELEASES')
    expect(status).toBe(404)
  })

  test('answers no other paths', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [nupkg('1.0.0'), ZIP] })
    for (const path of [
      'win32/x64/0.9.0',
      'darwin/x64/0.9.0/RELEASES',
      'linux/x64/0.9.0',
      'win32',
    ]) {
      expectError(await ask(server, path), 404)
    }
    expectError(await ask(server, 'win32/x64/one/RELEASES'), 400)
  })
})
