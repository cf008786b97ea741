import { z } from 'zod'
import { parsedJson } from '../../basics/parsed-json.ts'
import type { DocumentUpdater } from '../../files/updater.ts'
import { compareVersions, prepareVersion, readVersion } from '../../releases/version.ts'
import { fileNameOf } from '../address.ts'
import { guessArch } from '../guess.ts'
import type { ListedPackage, ReadDocument } from './read-document.ts'

/** Most bytes of the lists of builds: each adds two lines. */
const MAX_PACKAGES = 10_000

/** A line as `ReleaseEntry.cs` of Squirrel.Windows reads it, without its comment. */
const LINE = /^([0-9a-f]{40})\s+(\S+)\s+([1-9]\d{0,15})$/i
/** `StagingRegex` there, of the comment. */
const STAGING = /#\s+(\d{1,3})%\s*$/
const NAME = /^.+?[-.](\d+\.\d+.*?)-(full|delta)\.nupkg$/i

const Asset = z.looseObject({
  Version: z.string(),
  Type: z.enum(['Full', 'Delta']),
  FileName: z.string().regex(/\.nupkg$/i),
  SHA1: z.string().regex(/^[0-9a-f]{40}$/i),
  Size: z.int().min(1),
  NotesMarkdown: z.string().nullish(),
})
const Feed = z.looseObject({ Assets: z.array(Asset).min(1).max(MAX_PACKAGES) })

/** Returns whether a file is the list of packages that Squirrel and Velopack write, by its name. */
export function isPackageList(fileName: string): boolean {
  return /^RELEASES(?:-[\w.-]+)?$/.test(fileName) || isVelopackFeed(fileName)
}

/** Returns whose list of packages a file is, by its name. */
export function updaterOfList(fileName: string): DocumentUpdater {
  return isVelopackFeed(fileName) ? 'velopack' : 'squirrel'
}

/** Returns whether a file is the feed that Velopack writes, by its name, such as `releases.win.json`. */
export function isVelopackFeed(fileName: string): boolean {
  return /^releases\.[\w.-]+\.json$/i.test(fileName)
}

/**
 * Reads the packages of a `RELEASES` file, or of a feed of Velopack; undefined for what is neither. A line that names no
 * package of the form `<id>-<version>-full.nupkg` or `-delta.nupkg`, or a version that is none, makes all of it unreadable.
 */
export function readPackages(fileName: string, text: string): ListedPackage[] | undefined {
  const content = text.replace(/^\uFEFF/, '')
  const [, channel = ''] = /^RELEASES-(.+)$/.exec(fileName) ?? []
  const packages = isVelopackFeed(fileName) ? readFeed(content) : readLines(content, channel)
  return packages?.every(({ version }) => readVersion(version).ok) ? packages : undefined
}

/** How the channels of Velopack begin by default, which are in the names of its feeds. */
const CHANNELS: readonly (readonly [RegExp, string])[] = [
  [/^releases\.osx\b/i, 'darwin'],
  [/^releases\.linux\b/i, 'linux'],
]

/** Returns the platform of a list, and its architecture if its name has one, else empty. */
export function targetOfList(fileName: string): Pick<ReadDocument, 'platform' | 'arch'> {
  const platform = CHANNELS.find(([pattern]) => pattern.test(fileName))?.[1] ?? 'windows'
  return { platform, arch: guessArch(fileName.replaceAll('.', '-'), platform) }
}

/** Reads a list as the document of the highest version in it. Undefined for what `readPackages` does not read. */
export function readPackageDocument(name: string, content: string): ReadDocument | undefined {
  const packages = readPackages(name, content)
  const latest = latestPackages(packages ?? [])
  const version = latest[0]?.version
  if (packages === undefined || version === undefined) return undefined
  const versionIn = isVelopackFeed(name) ? (text: string) => text : squirrelVersion
  return {
    ...targetOfList(name),
    ...{ version, packages, signatures: [], payload: new Uint8Array() },
    isFor: (other) => versionIn(other) === versionIn(version),
    files: latest.map(({ address, sha1, size }) => {
      return { url: address, sha512: '', size, signature: '', sha1 }
    }),
  }
}

/** Returns a version as maker-squirrel writes it, without build metadata and without dots in the pre-release. */
export function squirrelVersion(version: string): string {
  const [core, ...prerelease] = version.replace(/\+.*$/, '').split('-')
  return [core, ...prerelease.map((part) => part.replaceAll('.', ''))].join('-')
}

/** Returns the full package that a delta package of a list was built from: that of the highest version below its own. */
function baseOf(
  packages: readonly ListedPackage[],
  { version }: ListedPackage,
): ListedPackage | undefined {
  return packages
    .filter((each) => !each.isDelta && isBelow(each.version, version))
    .reduce<ListedPackage | undefined>(
      (best, each) => (best !== undefined && isBelow(each.version, best.version) ? best : each),
      undefined,
    )
}

/** Returns the packages of the highest version. */
export function latestPackages(packages: readonly ListedPackage[]): ListedPackage[] {
  const [first] = packages
  if (first === undefined) return []
  const latest = packages.reduce(
    (best, { version }) => (isBelow(best, version) ? version : best),
    first.version,
  )
  return packages.filter(({ version }) => !isBelow(version, latest))
}

/**
 * Returns what is published as the signature of a package: its line, and for a delta package the line of the one that it was
 * built from.
 */
export function signatureOfPackage(
  packages: readonly ListedPackage[],
  listed: ListedPackage,
): string {
  const base = listed.isDelta ? baseOf(packages, listed) : undefined
  return [listed, ...(base === undefined ? [] : [base])].map(lineOf).join(' ')
}

const lineOf = ({ sha1, name, size }: ListedPackage) => `${sha1.toUpperCase()} ${name} ${size}`

/** `channel`: that of Velopack, which ends the versions in the names of its packages; empty for none. */
function readLines(text: string, channel: string): ListedPackage[] | undefined {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line))
  const packages = lines.map((line) => readLine(line, channel))
  const read = packages.filter((each) => each !== undefined)
  const isComplete = read.length > 0 && read.length === packages.length
  return isComplete && read.length <= MAX_PACKAGES ? read : undefined
}

function readLine(line: string, channel: string): ListedPackage | undefined {
  const [, sha1 = '', address = '', size = ''] = LINE.exec(line.replace(/\s*#.*$/, '').trim()) ?? []
  const [, percentage = 100] = STAGING.exec(line) ?? []
  const name = fileNameOf(address)
  const [, named, type] = NAME.exec(name) ?? []
  if (named === undefined) return undefined
  const end = `-${channel}`
  const version = channel !== '' && named.endsWith(end) ? named.slice(0, -end.length) : named
  const isDelta = type?.toLowerCase() === 'delta'
  const numbers = { size: Number(size), percentage: Number(percentage) }
  return { name, address, version, isDelta, sha1, ...numbers, notes: '' }
}

function readFeed(text: string): ListedPackage[] | undefined {
  const result = Feed.safeParse(parsedJson(text))
  return result.data?.Assets.map(({ Version, Type, FileName, SHA1, Size, NotesMarkdown }) => ({
    ...{ name: fileNameOf(FileName), address: FileName },
    ...{ version: Version, isDelta: Type === 'Delta', sha1: SHA1, size: Size },
    ...{ notes: NotesMarkdown ?? '', percentage: 100 },
  }))
}

function isBelow(one: string, other: string): boolean {
  const [a, b] = [readVersion(one), readVersion(other)]
  if (!a.ok || !b.ok) return false
  return compareVersions(prepareVersion(a.version), prepareVersion(b.version)) < 0
}
