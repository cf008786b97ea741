import { z } from 'zod'
import { parsedJson } from '../parsed-json.ts'
import { readVersion } from '../version.ts'
import { fileNameOf } from './address.ts'

/** A package in a list that Squirrel or Velopack writes. */
export interface ListedPackage {
  /** The file name. */
  readonly name: string
  /** As the list or the name of the file has it. */
  readonly version: string
  readonly isDelta: boolean
  /** In hex. */
  readonly sha1: string
  /** Bytes. */
  readonly size: number
  /** Empty if the list has none. */
  readonly notes: string
}

/** Most bytes of the lists of builds: each adds two lines. */
const MAX_PACKAGES = 10_000

/** A line as `ReleaseEntry.cs` of Squirrel.Windows reads it, without its comment. */
const LINE = /^([0-9a-f]{40})\s+(\S+)\s+([1-9]\d{0,15})$/i
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

/** Returns whether a file is the feed that Velopack writes, by its name, such as `releases.win.json`. */
function isVelopackFeed(fileName: string): boolean {
  return /^releases\.[\w.-]+\.json$/i.test(fileName)
}

/**
 * Reads the packages of a `RELEASES` file, or of a feed of Velopack; undefined for what is neither. A line that names no
 * package of the form `<id>-<version>-full.nupkg` or `-delta.nupkg`, or a version that is none, makes all of it unreadable.
 */
export function readPackages(fileName: string, text: string): ListedPackage[] | undefined {
  const content = text.replace(/^\uFEFF/, '')
  const packages = isVelopackFeed(fileName) ? readFeed(content) : readLines(content)
  return packages?.every(({ version }) => readVersion(version).ok) ? packages : undefined
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

function readLines(text: string): ListedPackage[] | undefined {
  const lines = text.split('\n').map((line) => line.replace(/\s*#.*$/, '').trim())
  const packages = lines.flatMap((line) => (line === '' ? [] : [readLine(line)]))
  const read = packages.filter((each) => each !== undefined)
  const isComplete = read.length > 0 && read.length === packages.length
  return isComplete && read.length <= MAX_PACKAGES ? read : undefined
}

function readLine(line: string): ListedPackage | undefined {
  const [, sha1 = '', address = '', size = ''] = LINE.exec(line) ?? []
  const name = fileNameOf(address)
  const [, version, type] = NAME.exec(name) ?? []
  if (version === undefined) return undefined
  const isDelta = type?.toLowerCase() === 'delta'
  return { name, version, isDelta, sha1, size: Number(size), notes: '' }
}

function readFeed(text: string): ListedPackage[] | undefined {
  const result = Feed.safeParse(parsedJson(text))
  return result.data?.Assets.map(({ Version, Type, FileName, SHA1, Size, NotesMarkdown }) => ({
    ...{ name: fileNameOf(FileName), version: Version, isDelta: Type === 'Delta' },
    ...{ sha1: SHA1, size: Size, notes: NotesMarkdown ?? '' },
  }))
}

/** Ordered as in SemVer. */
function isBelow(one: string, other: string): boolean {
  const [a, b] = [readVersion(one), readVersion(other)]
  if (!a.ok || !b.ok) return false
  const core = a.version.core.findIndex((each, at) => each !== b.version.core[at])
  if (core >= 0) return (a.version.core[core] ?? 0) < (b.version.core[core] ?? 0)
  const [pre, otherPre] = [a.version.prerelease, b.version.prerelease]
  if (pre.length === 0 || otherPre.length === 0) return pre.length > otherPre.length
  const at = pre.findIndex((each, index) => each !== otherPre[index])
  if (at < 0) return pre.length < otherPre.length
  return otherPre[at] !== undefined && isPartBelow(pre[at] ?? '', otherPre[at])
}

function isPartBelow(one: string, other: string): boolean {
  const [a, b] = [one, other].map((part) => (/^\d+$/.test(part) ? Number(part) : undefined))
  if (a !== undefined && b !== undefined) return a < b
  return a === undefined && b === undefined ? one < other : a !== undefined
}
