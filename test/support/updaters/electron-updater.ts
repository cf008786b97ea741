import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import Module, { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater'
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../builders/folders.ts'
import { writeTool } from '../ci/tools.ts'

export type UpdaterKind = 'nsis' | 'mac' | 'appimage'

export interface UpdaterOptions {
  readonly kind: UpdaterKind
  /** The feed URL, with its query; null for an app without `app-update.yml`. */
  readonly feed: string | null
  /** The version that the app runs. */
  readonly version: string
  /** The ID that the client keeps; by default it makes one. */
  readonly stagingId?: string
  readonly channel?: string
  /** The file that the app was installed from, of which the updater then downloads only what has changed, or fails. */
  readonly installed?: Buffer
  /** Whether the client asks for several parts in one request, as it does by default. */
  readonly useMultipleRangeRequest?: boolean
}

/** Where the updaters look for what the app was installed from, in the client's folder. */
const INSTALLED = {
  nsis: 'cache/editor-updater/installer.exe',
  mac: 'cache/editor-updater/update.zip',
  appimage: 'Editor.AppImage',
} as const

const PLATFORMS = { nsis: 'win32', mac: 'darwin', appimage: 'linux' } as const

/**
 * Starts the published electron-updater in Node, with a data folder of its own. Its only parts that are not its own are
 * those that Electron provides: facts about the app, HTTP requests, and on macOS the native updater.
 */
export function startElectronUpdater(options: UpdaterOptions): AppUpdater {
  const { kind, feed, version, stagingId = randomUUID(), channel, installed } = options
  const { useMultipleRangeRequest } = options
  const folder = temporaryFolder()
  const configuration = {
    provider: 'generic',
    url: feed,
    updaterCacheDirName: 'editor-updater',
    ...(channel === undefined ? {} : { channel }),
    ...(useMultipleRangeRequest === undefined ? {} : { useMultipleRangeRequest }),
  }
  // JSON is YAML as well.
  if (feed !== null) writeFileSync(join(folder, 'app-update.yml'), JSON.stringify(configuration))
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data', '.updaterId'), stagingId)
  const app = {
    ...{ version, name: 'Editor', isPackaged: true },
    appUpdateConfigPath: join(folder, 'app-update.yml'),
    userDataPath: join(folder, 'data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  }
  const updater = updaterOf(kind, app, folder)
  Object.assign(updater, {
    httpExecutor: executorInNode(),
    _testOnlyOptions: {
      platform: PLATFORMS[kind],
      isUseDifferentialDownload: installed !== undefined,
    },
  })
  updater.disableDifferentialDownload = installed === undefined
  if (installed !== undefined) {
    const file = join(folder, INSTALLED[kind])
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, installed)
  }
  updater.logger = null
  // Every failure is in the result of a call as well.
  updater.on('error', () => {})
  return updater
}

/** Downloads the update that a check found, and returns the downloaded file. */
export async function downloaded(updater: AppUpdater): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    updater.once('update-downloaded', ({ downloadedFile }) => resolve(downloadedFile))
    updater.downloadUpdate().catch(reject)
  })
}

function updaterOf(
  kind: UpdaterKind,
  app: ConstructorParameters<typeof NsisUpdater>[1],
  folder: string,
): AppUpdater {
  switch (kind) {
    case 'nsis':
      return new NsisUpdater(null, app)
    case 'mac':
      answerSysctl(folder)
      return startMacUpdater(app)
    case 'appimage': {
      const before = process.env.APPIMAGE
      process.env.APPIMAGE = join(folder, INSTALLED.appimage)
      onTestFinished(() => {
        if (before === undefined) delete process.env.APPIMAGE
        else process.env.APPIMAGE = before
      })
      return new AppImageUpdater(null, app)
    }
  }
}

/** The download code of electron-updater, on Node's own requests in place of Electron's. */
function executorInNode(): ElectronHttpExecutor {
  return Object.assign(new ElectronHttpExecutor(), {
    // On connections of their own: the client adds a listener to the connection with each request.
    createRequest,
    // Node follows no redirects by itself, which the shared code handles.
    addRedirectHandlers: () => {},
  })
}

type Answer = (response: IncomingMessage) => void

/** Follows redirects of requests for parts as `net.request` of Electron does: by itself, or when it is told to. */
function createRequest(options: RequestOptions & { redirect?: string }, answer: Answer) {
  const isPart = options.headers !== undefined && 'range' in options.headers
  const made = request({ ...options, agent: false }, (response) => {
    const { location } = response.headers
    if (location === undefined || !isPart) return answer(response)
    response.resume()
    const followRedirect = () => {
      const { headers = {} } = options
      const next = request(location, { headers, agent: false }, answer)
      next.on('error', (error) => made.emit('error', error)).end()
    }
    if (options.redirect !== 'manual') return followRedirect()
    Object.assign(made, { followRedirect }).emit('redirect', response.statusCode, 'GET', location)
  })
  return made
}

/** The updater for macOS asks for the processor there. Programs of other systems write an error into the test's output. */
function answerSysctl(folder: string): void {
  const before = process.env.PATH
  const tools = writeTool(join(folder, 'tools'), 'sysctl', 'echo "$1: 0"')
  process.env.PATH = `${tools}${delimiter}${before}`
  onTestFinished(() => {
    process.env.PATH = before
  })
}

/** The updater for macOS loads Electron's when it is made. */
function startMacUpdater(app: ConstructorParameters<typeof MacUpdater>[1]): MacUpdater {
  const require = createRequire(import.meta.url)
  const electron = require.resolve('electron')
  const known = require.cache[electron]
  require.cache[electron] = Object.assign(new Module(electron), {
    exports: { autoUpdater: new NativeUpdater() },
  })
  try {
    const updater = new MacUpdater(undefined, app)
    // Closes the server from which the native updater reads the file.
    onTestFinished(() => updater.quitAndInstall())
    return updater
  } finally {
    if (known === undefined) delete require.cache[electron]
    else require.cache[electron] = known
  }
}

/** Electron's updater for macOS as far as electron-updater uses it: it reads the file from a local server. */
class NativeUpdater extends EventEmitter {
  #feed: { url: string; headers: Record<string, string> } | undefined

  setFeedURL(feed: { url: string; headers: Record<string, string> }): void {
    this.#feed = feed
  }

  checkForUpdates(): void {
    void this.#read().then(
      () => this.emit('update-downloaded'),
      (error) => this.emit('error', error),
    )
  }

  quitAndInstall(): void {}

  async #read(): Promise<void> {
    const { url = '', headers = {} } = this.#feed ?? {}
    const update = await (await fetch(url, { headers })).json()
    const file = await fetch(update.url, { headers })
    if (!file.ok) throw new Error(`status ${file.status}`)
    await file.arrayBuffer()
  }
}
