import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Downloaded, type DownloadOptions, download } from './download.ts'
import { CheckError, readNothing, readUpdate, type Update } from './update.ts'

/** How an app identifies itself to its update server. */
export interface UpdateClientOptions {
  /** Address of the server, such as `https://updates.example.com`; with a path if a proxy adds one. */
  readonly server: string
  readonly app: string
  /** Default: `stable`. */
  readonly channel?: string
  /** Version that runs, SemVer. In Electron, `app.getVersion()`. */
  readonly version: string
  /** Folder that keeps the device ID. In Electron, `app.getPath('userData')`. */
  readonly folder?: string
  /** Device ID, if the app keeps its own: 1 to 128 printable ASCII characters without spaces. Overrides `folder`. */
  readonly deviceId?: string
  /** Labels that the server stores with the device and can target. An empty value removes a label. */
  readonly labels?: Readonly<Record<string, string>>
  /** Default: `process.platform`. */
  readonly platform?: string
  /** Default: `process.arch`. */
  readonly arch?: string
  /** Kind of installer that the app was installed by, such as `deb` or `msi`. */
  readonly bundle?: string
  /** Version of the operating system, such as `release()` of `node:os`: releases that need a newer one are passed over. */
  readonly os?: string
  /** Milliseconds until a check gives up, and a download of which nothing arrives; default 30,000. */
  readonly timeout?: number
}

export interface UpdateClient {
  /** Returns the ID under which the server knows this device, and creates it if necessary. */
  deviceId(): Promise<string>
  /**
   * Asks for an update, and returns `undefined` if there is none for this device. Each check counts as a sign of life.
   * Rejects with `CheckError`, or with the reason of `signal` when that is aborted.
   */
  check(options?: CheckOptions): Promise<Update | undefined>
  /**
   * Downloads the file of an update and verifies its checksum; its signature is up to your updater. With the file of the version
   * that runs, only what has changed is downloaded where that is possible, and otherwise all of the file. Rejects as `check`
   * does, with the problem `invalid` for another file than was published, and with errors of the file system.
   */
  download(update: Update, options: DownloadOptions): Promise<Downloaded>
  /**
   * Reports whether an update works on this device, so that the server can stop the rollout of a bad one. It counts for
   * the update that the device was last offered. Rejects as `check` does.
   */
  reportOutcome(report: OutcomeReport, options?: Pick<CheckOptions, 'signal'>): Promise<void>
}

/** What became of an update. */
export interface OutcomeReport {
  /** The version of the update. */
  readonly version: string
  /** `ok`: it runs. `failed`: it could not be installed, or does not work. */
  readonly outcome: 'ok' | 'failed'
  /** Why, such as an error message, without personal data. Cut to 500 characters on one line. */
  readonly detail?: string
}

export interface CheckOptions {
  readonly signal?: AbortSignal
  /** True if a person asked for the check: where the channel allows it, the device is in every rollout above 0%. */
  readonly manual?: boolean
}

/**
 * Creates a client for one app on one device. Nothing is sent or written before its first use.
 * Throws `TypeError` when the server is not an http or https address, when there is neither `folder` nor `deviceId`, or
 * when the device ID is malformed.
 */
export function createUpdateClient(options: UpdateClientOptions): UpdateClient {
  const address = checkAddress(options)
  const asked = new URL(address)
  asked.searchParams.append('manual', '1')
  const { deviceId: given, folder } = options
  if (given !== undefined && !isDeviceId(given)) {
    throw new TypeError('deviceId: must be 1 to 128 printable ASCII characters without spaces')
  }
  if (given === undefined && folder === undefined) {
    throw new TypeError('folder: is required without a deviceId')
  }
  let kept: Promise<string> | undefined
  const deviceId = () => {
    if (given !== undefined) return Promise.resolve(given)
    // A folder that cannot be written now may be writable at the next check.
    kept ??= keepDeviceId(folder ?? '').catch((error) => {
      kept = undefined
      throw error
    })
    return kept
  }
  /** Sends a request as the device. Rejects with `CheckError`, or with the reason of `signal`. */
  const send = async <Answer>(
    address: URL,
    read: (response: Response) => Promise<Answer>,
    { signal, ...init }: { readonly signal?: AbortSignal | undefined; body?: string },
  ): Promise<Answer> => {
    const headers = { 'X-Service-Device': await deviceId(), Accept: 'application/json' }
    signal?.throwIfAborted()
    const late = AbortSignal.timeout(options.timeout ?? 30_000)
    const signals = signal === undefined ? late : AbortSignal.any([signal, late])
    const method = init.body === undefined ? 'GET' : 'POST'
    try {
      return await read(await fetch(address, { ...init, method, headers, signal: signals }))
    } catch (error) {
      if (error instanceof CheckError) throw error
      signal?.throwIfAborted()
      if (late.aborted) throw new CheckError('timeout', 'The update server does not answer.')
      throw new CheckError('unreachable', 'The update server cannot be reached.', {
        cause: error,
      })
    }
  }
  return {
    deviceId,
    check: ({ signal, manual = false } = {}) =>
      send(manual ? asked : address, readUpdate, { signal }),
    download: (update, to) => download(update, to, options.timeout ?? 30_000),
    reportOutcome: ({ version, outcome, detail = '' }, { signal } = {}) => {
      const line = detail.replace(/\p{Cc}+/gu, ' ').slice(0, 500)
      const body = JSON.stringify({ version, outcome, detail: line })
      return send(outcomeAddress(options), readNothing, { signal, body })
    },
  }
}

function checkAddress(options: UpdateClientOptions): URL {
  const { app, channel = 'stable', version } = options
  const { platform = process.platform, arch = process.arch } = options
  if (!URL.canParse(options.server) || !/^https?:/i.test(options.server)) {
    throw new TypeError('server: must be an http or https address')
  }
  const address = addressOf(options, [app, channel, platform, arch, version])
  for (const [key, value] of Object.entries(options.labels ?? {})) {
    address.searchParams.append(`l.${key}`, value)
  }
  if (options.bundle !== undefined) address.searchParams.append('bundle', options.bundle)
  if (options.os !== undefined) address.searchParams.append('os', options.os)
  return address
}

function outcomeAddress(options: UpdateClientOptions): URL {
  const { app, channel = 'stable' } = options
  return addressOf(options, [app, channel, 'outcome'])
}

function addressOf({ server }: UpdateClientOptions, parts: readonly string[]): URL {
  const path = parts.map(encodeURIComponent).join('/')
  return new URL(`u/${path}`, server.endsWith('/') ? server : `${server}/`)
}

const FILE = 'update-device'

/**
 * Returns the random ID that `folder` keeps in the file `update-device`, after creating both where they do not exist.
 * Processes that start at the same time get the same ID. A damaged file is replaced.
 * Rejects with the error of the file system when the folder cannot be written.
 */
async function keepDeviceId(folder: string): Promise<string> {
  const file = join(folder, FILE)
  const kept = await read(file)
  if (kept !== undefined) return kept
  await mkdir(folder, { recursive: true })
  const own = `${file}.${randomUUID()}`
  try {
    await writeFile(own, randomUUID())
    // A link appears with its contents, and to one process only.
    await link(own, file).catch((error) => replaceDamaged(own, file, error))
    return (await read(file)) ?? (await readFile(own, 'utf8'))
  } finally {
    await rm(own, { force: true })
  }
}

/** Returns whether the text can be a device ID: 1 to 128 printable ASCII characters without spaces. */
function isDeviceId(text: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(text)
}

/** Where the file exists but holds no ID, and where the file system has no links. */
async function replaceDamaged(own: string, file: string, error: NodeJS.ErrnoException) {
  if (error.code === 'EEXIST' && (await read(file)) !== undefined) return
  await rename(own, file)
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const id = text.trim()
  return isDeviceId(id) ? id : undefined
}
