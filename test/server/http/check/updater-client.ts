/**
 * What the updater of the Tauri framework (version 2) does with a reply, as strict as it is: it
 * reads JSON into a typed structure and takes no update if anything in it is not as expected.
 */

export interface ClientUpdate {
  readonly version: string
  readonly url: URL
  readonly signature: string
  readonly date: Date | null
  readonly notes: string | null
}

const NUMBER = '(0|[1-9]\\d*)'
const PRERELEASE = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)'
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}` +
    `(?:-(${PRERELEASE}(?:\\.${PRERELEASE})*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$`,
)
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/
const MAX_NUMBER = 2n ** 64n

/** Where the client asks: a `+` is percent-encoded, as everything but letters, digits and `-._~`. */
export function clientUrl(address: string, app: string, channel: string, version: string): string {
  const encoded = version.replace(
    /[^A-Za-z0-9\-._~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )
  return `${address}/u/${app}/${channel}/linux/x86_64/${encoded}`
}

/**
 * What the client makes of a reply: null if it says that there is no update, and an error where
 * the client would have one. `current`: what the device runs.
 */
export function readAsClient(
  { status, body }: { readonly status: number; readonly body: Buffer },
  current: string,
): ClientUpdate | null {
  if (status === 204) {
    if (body.length > 0) throw new Error('a 204 with a body')
    return null
  }
  if (status < 200 || status > 299) throw new Error(`status ${status}`)
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  const release: unknown = JSON.parse(text)
  if (typeof release !== 'object' || release === null) throw new Error('not an object')
  refuseRepeatedMembers(text, release)
  refuseLoneSurrogates(text)
  // `name` is another name for `version`: with both, the client sees a member twice.
  if ('name' in release) throw new Error('duplicate field `version`')
  const version = readString(release, 'version').replace(/^v/, '')
  const notes = readOptional(release, 'notes')
  const date = readOptional(release, 'pub_date')
  if (date !== null && !RFC_3339.test(date)) throw new Error(`pub_date ${date}`)
  // A table of platforms takes the place of url and signature.
  if (Reflect.get(release, 'platforms') != null) throw new Error('a table of platforms')
  const url = new URL(readString(release, 'url'))
  const signature = readString(release, 'signature')
  if (compareAsClient(version, current) <= 0 && Reflect.get(release, 'allowDowngrade') !== true) {
    return null
  }
  return { version, url, signature, notes, date: date === null ? null : new Date(date) }
}

/** The order of the `semver` crate, which knows build metadata. Throws for what it cannot parse. */
export function compareAsClient(one: string, other: string): number {
  const [a, b] = [parse(one), parse(other)]
  for (let part = 0; part < 3; part++) {
    const difference = compareBig(a.core[part] ?? 0n, b.core[part] ?? 0n)
    if (difference !== 0) return difference
  }
  if (a.prerelease !== b.prerelease) {
    if (a.prerelease === '') return 1
    if (b.prerelease === '') return -1
    return compareLists(a.prerelease, b.prerelease)
  }
  return compareLists(a.build, b.build)
}

function parse(text: string): { core: bigint[]; prerelease: string; build: string } {
  const match = VERSION.exec(text)
  if (match === null) throw new Error(`${text} is no version`)
  const core = [match[1], match[2], match[3]].map((digits) => BigInt(digits ?? ''))
  if (core.some((number) => number >= MAX_NUMBER)) throw new Error(`${text} is too large`)
  return { core, prerelease: match[4] ?? '', build: match[5] ?? '' }
}

function compareLists(one: string, other: string): number {
  const rest = other.split('.')
  for (const left of one.split('.')) {
    const right = rest.shift()
    if (right === undefined) return 1
    const [isNumber, otherIsNumber] = [/^\d*$/.test(left), /^\d*$/.test(right)]
    if (isNumber !== otherIsNumber) return isNumber ? -1 : 1
    const difference = isNumber ? compareDigits(left, right) : compareText(left, right)
    if (difference !== 0) return difference
  }
  return rest.length === 0 ? 0 : -1
}

function compareDigits(one: string, other: string): number {
  // Nothing at all is below zero.
  return compareBig(BigInt(`0${one}`), BigInt(`0${other}`)) || one.length - other.length
}

function compareBig(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function compareText(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1
}

function readString(object: object, name: string): string {
  const value: unknown = Reflect.get(object, name)
  if (typeof value !== 'string') throw new Error(`${name} is no string`)
  return value
}

function readOptional(object: object, name: string): string | null {
  return Reflect.get(object, name) == null ? null : readString(object, name)
}

/** `JSON.parse` keeps the last of two members of one name; the client refuses both. */
function refuseRepeatedMembers(text: string, release: object): void {
  if (JSON.stringify(release) !== text) throw new Error('members that are there twice')
}

/** `JSON.parse` takes half a character that is escaped; the client does not. */
function refuseLoneSurrogates(text: string): void {
  JSON.parse(text, (_name, value) => {
    if (typeof value === 'string' && !value.isWellFormed()) throw new Error('half a character')
    return value
  })
}

/** What an app is, as the plugin from 2.10 on knows it. */
export interface TauriDevice {
  readonly platform: 'linux' | 'darwin' | 'windows'
  readonly arch: string
  /** The kind of bundle that it was installed from. */
  readonly bundle: string
}

/**
 * What the client makes of a static `latest.json`: the entry of its bundle, else that of its system and arch (`check` and
 * `get_urls` in `updater.rs`). Null if there is no update, or no entry for it.
 */
export function readStatic(
  manifest: { readonly platforms: Readonly<Record<string, object>> },
  { platform, arch, bundle }: TauriDevice,
  current: string,
): ClientUpdate | null {
  const { platforms, ...release } = manifest
  const entry = platforms[`${platform}-${arch}-${bundle}`] ?? platforms[`${platform}-${arch}`]
  if (entry === undefined) return null
  const body = Buffer.from(JSON.stringify({ ...release, ...entry }))
  return readAsClient({ status: 200, body }, current)
}

/** Whether the client installs what it has found: on Linux, files of its own bundle alone (`install_inner`). */
export function installs({ platform, bundle }: TauriDevice, { url }: ClientUpdate): boolean {
  const ends = { appimage: /\.AppImage$/, deb: /\.deb$/, rpm: /\.rpm$/ }
  const end = Object.entries(ends).find(([name]) => name === bundle)?.[1]
  return platform !== 'linux' || end === undefined || end.test(url.pathname)
}
