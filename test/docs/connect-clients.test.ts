import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'
import { artifact } from '../support/builders/releases.ts'
import { runClient, writeClient } from '../support/docs/client.ts'
import { PageCode } from '../support/docs/page.ts'
import { publish, serve } from '../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../support/servers/server.ts'

const UPDATES = 'https://updates.example.com'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const code = new PageCode('docs/connect.md')
const configuration = code.takeOne('1. Configure the updater', 'json')
const tauri = code.takeOne('2. Check for updates', 'javascript')
const electron = code.takeOne('electron-updater', 'javascript')
const squirrel = code.takeOne('Electron autoUpdater', 'javascript')
const other = code.takeOne('Other apps', 'javascript')

/** The storage of a web view, and the updater plugin from version 2.12 on, which reads its settings from a file. */
const TAURI_UPDATER = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const items = existsSync('storage.json') ? JSON.parse(readFileSync('storage.json', 'utf8')) : {}
Object.defineProperty(globalThis, 'localStorage', { value: {
  getItem: (key) => items[key] ?? null,
  setItem(key, value) {
    items[key] = value
    writeFileSync('storage.json', JSON.stringify(items))
  },
} })
const { updater } = JSON.parse(readFileSync('tauri.conf.json', 'utf8')).plugins
const { CURRENT } = process.env
const parts = { target: 'darwin', arch: 'aarch64', current_version: CURRENT, bundle_type: 'app' }
export async function check({ headers }) {
  const url = updater.endpoints[0].replace(/{{(\\w+)}}/g, (_, name) => parts[name])
  const response = await fetch(url, { headers })
  if (response.status === 204) return null
  const { version } = await response.json()
  if (version < process.env.CURRENT && !updater.allowDowngrades) return null
  const result = { version, device: headers['X-Service-Device'] }
  return { downloadAndInstall: async () => process.stdout.write(JSON.stringify(result)) }
}
`

const ELECTRON = `
import { readFileSync } from 'node:fs'
const show = (result) => process.stdout.write(JSON.stringify(result))
export const app = { getPath: () => process.cwd(), getVersion: () => process.env.CURRENT }
export const autoUpdater = {
  setFeedURL({ url }) { this.url = url },
  async checkForUpdates() {
    const response = await fetch(this.url)
    const device = readFileSync('update-device', 'utf8')
    if (response.status === 200) show({ version: (await response.json()).name, device })
  },
}
`

/** What the client asks and compares; test/server/http/update-feeds drives the published one. */
const ELECTRON_UPDATER = `
const autoUpdater = {
  setFeedURL(url) { this.url = new URL(url) },
  async checkForUpdatesAndNotify() {
    this.url.pathname += '/latest-linux.yml'
    const feed = await (await fetch(this.url)).text()
    const version = /^version: "(.*)"$/m.exec(feed)[1]
    const current = process.env.CURRENT
    if (version === current || (version < current && !this.allowDowngrade)) return
    process.stdout.write(version)
  },
}
export default { autoUpdater }
`

/** A server with releases 1.0.0 to 1.2.0, for every platform. The last one was rolled back. */
async function startWithRollback(): Promise<TestServer> {
  const server = await startWithApp()
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    const names = { darwin: 'Editor.zip', linux: 'Editor.AppImage', windows: 'Editor.exe' }
    const artifacts = Object.entries(names).map(([platform, name]) => {
      const url = `https://downloads.example/${version}/${name}`
      return artifact({ platform, arch: 'universal', url })
    })
    await publish(server, version, { artifacts })
  }
  await serve(server, '1.2.0', { status: 'rolled_back' })
  return server
}

describe('the code for Tauri', () => {
  test('installs updates and rollbacks, always as the same device', async () => {
    const server = await startWithRollback()
    const folder = temporaryFolder()
    const config = configuration.replaceAll(UPDATES, server.address)
    writeFileSync(join(folder, 'tauri.conf.json'), config)
    const client = writeClient(folder, tauri, { '@tauri-apps/plugin-updater': TAURI_UPDATER })

    const updated = JSON.parse(await runClient(client, { CURRENT: '1.0.0' }))
    expect(updated).toEqual({ version: '1.1.0', device: expect.stringMatching(UUID) })
    expect(JSON.parse(await runClient(client, { CURRENT: '1.2.0' }))).toEqual(updated)
    expect(await runClient(client, { CURRENT: '1.1.0' })).toBe('')
  })
})

describe('the code for electron-updater', () => {
  test('installs updates and rollbacks', async () => {
    const server = await startWithRollback()
    const text = `${electron.replaceAll(UPDATES, server.address)}\nawait checkForUpdate()\n`
    const packages = { electron: ELECTRON, 'electron-updater': ELECTRON_UPDATER }
    const client = writeClient(temporaryFolder(), text, packages)

    expect(await runClient(client, { CURRENT: '1.0.0' })).toBe('1.1.0')
    expect(await runClient(client, { CURRENT: '1.2.0' })).toBe('1.1.0')
    expect(await runClient(client, { CURRENT: '1.1.0' })).toBe('')
  })
})

describe("the code for Electron's own updater", () => {
  test('installs updates and rollbacks, always as the same device', async () => {
    const server = await startWithRollback()
    const onMac = "Object.defineProperty(process, 'platform', { value: 'darwin' })"
    const text = `${squirrel.replaceAll(UPDATES, server.address)}\n${onMac}\ncheckForUpdate()\n`
    const client = writeClient(temporaryFolder(), text, { electron: ELECTRON })

    const updated = JSON.parse(await runClient(client, { CURRENT: '1.0.0' }))
    expect(updated).toEqual({ version: '1.1.0', device: expect.stringMatching(UUID) })
    expect(JSON.parse(await runClient(client, { CURRENT: '1.2.0' }))).toEqual(updated)
    expect(await runClient(client, { CURRENT: '1.1.0' })).toBe('')
  })
})

describe('the code for other apps', () => {
  async function serveFile(content: string): Promise<string> {
    const downloads = createServer((_, response) => response.end(content))
    await new Promise<void>((listening) => downloads.listen(0, '127.0.0.1', listening))
    onTestFinished(() => new Promise<void>((closed) => void downloads.close(() => closed())))
    const address = downloads.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/Editor.exe`
  }

  test('downloads an update, and rejects a damaged file', async () => {
    const server = await startWithApp()
    const client = writeClient(temporaryFolder(), other.replaceAll(UPDATES, server.address), {})
    expect(await runClient(client)).toBe('1.0.0 is up to date\n')

    const release = async (version: string, published: string, served: string) => {
      const sha512 = createHash('sha512').update(published).digest('hex')
      const file = { platform: 'windows', arch: 'x86_64', url: await serveFile(served), sha512 }
      await publish(server, version, { artifacts: [file] })
    }
    await release('1.1.0', 'an installer', 'an installer')
    expect(await runClient(client)).toBe('Downloaded 1.1.0\n')
    expect(readFileSync(join(dirname(client), 'update.exe'), 'utf8')).toBe('an installer')
    expect(readFileSync(join(dirname(client), 'device-id'), 'utf8')).toMatch(UUID)

    await release('1.2.0', 'an installer', 'something else')
    await expect(runClient(client)).rejects.toThrow('The downloaded file is damaged')
  })

  test('explains why a check failed', async () => {
    const server = await startWithApp()
    const text = other.replaceAll(`${UPDATES}/u/editor`, `${server.address}/u/unknown`)
    const client = writeClient(temporaryFolder(), text, {})
    await expect(runClient(client)).rejects.toThrow(
      'The update check failed: unknown app "unknown"',
    )
  })
})
