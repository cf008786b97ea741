import { load } from 'js-yaml'
import { z } from 'zod'
import { ANY_ARCH } from '../../devices/aliases.ts'
import { completeAddress, fileNameOf, isAbsolute } from '../address.ts'
import { newArtifact } from '../artifact.ts'
import { guessArch, guessTarget } from '../guess.ts'
import { type Candidate, type ImportResult, keepOnePerTarget } from '../imported.ts'
import { MemberReader } from './builder-members.ts'

/** Scripts that merge manifests write numbers as texts. */
const Size = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
])

const Entry = z.looseObject({
  url: z.string(),
  sha512: z.string(),
  size: Size.nullish(),
})
type Entry = z.infer<typeof Entry>

const Manifest = z.looseObject({
  version: z.coerce.string(),
  files: z.array(Entry).nullish(),
  // The form before electron-builder 20: one file. electron-updater reads it where `files` is empty as well.
  path: z.string().nullish(),
  sha512: z.string().nullish(),
})

/** Returns whether a file is an electron-builder manifest, by a name such as `beta-mac.yml`. */
export function isBuilderManifest(fileName: string): boolean {
  return /\.ya?ml$/i.test(fileName)
}

/**
 * Reads a `latest.yml`, `latest-mac.yml` or `latest-linux*.yml` of electron-builder. Its name tells
 * the platform; arch and kind are read from each file's name, and the arch else from the manifest's. An .exe that it lists
 * is an NSIS installer. Relative addresses follow `base`, and stay empty without it.
 */
export function readBuilderManifest(fileName: string, text: string, base: string): ImportResult {
  const manifest = readManifest(text)
  if (manifest === undefined) return { ok: false, fault: 'not_electron_builder' }
  const platform = platformOf(
    fileName,
    manifest.files.map(({ url }) => url),
  )
  const members = new MemberReader(fileName)
  const ofManifest = members.ofManifest(manifest.members)
  const files = manifest.files.map((entry) => readFile(entry, fileName, platform))
  const candidates = files.map((file): Candidate => {
    const { name, url, sha512, size } = file
    const assumed = file.arch === '' ? unnamedArch(file, files, platform) : ''
    const isUnsure = assumed !== '' && platform !== 'linux' && !isCombined(file, files)
    const draft = newArtifact({
      platform,
      arch: file.arch || assumed,
      kind: file.kind,
      url: completeAddress(base, url),
      relative: isAbsolute(url) ? '' : url,
      sha512,
      size: size?.toString() ?? '',
      details: members.details(file.entry, name, ofManifest),
      listed: {
        ...{ format: 'electron_builder', manifest: fileName, version: manifest.version },
        ...{ entry: name, sha512, assumedArch: isUnsure ? assumed : '' },
      },
    })
    return { name, draft, rank: file.arch === '' ? 1 : 0 }
  })
  const { version } = manifest
  const { notes, stagingPercentage } = ofManifest
  const { artifacts, remarks } = keepOnePerTarget(fileName, candidates)
  return {
    ok: true,
    release: {
      ...{ version, notes, stagingPercentage, artifacts },
      remarks: [...members.remarks, ...remarks],
    },
  }
}

/** A file of a manifest; the arch is empty if neither its name nor that of the manifest has one. */
interface ListedFile extends Pick<Entry, 'url' | 'sha512' | 'size'> {
  readonly entry: Entry
  readonly name: string
  readonly arch: string
  readonly kind: string
}

function readFile(entry: Entry, manifest: string, platform: string): ListedFile {
  const name = fileNameOf(entry.url)
  const kind = /\.exe$/i.test(name) ? 'nsis' : guessTarget(name).kind
  const arch = guessArch(name, platform) || archOf(manifest, platform)
  const { url, sha512, size } = entry
  return { entry, url, sha512, size, name, kind, arch }
}

/**
 * Returns the arch of a file whose name has none, as electron-updater chooses: `latest-linux.yml` is read by x64 alone.
 * Macs take such a file if there is none for their own processor. On Windows, it is the installer for x64, or the
 * combined one beside those for one arch each.
 */
function unnamedArch(file: ListedFile, files: readonly ListedFile[], platform: string): string {
  if (platform === 'linux') return 'x86_64'
  const hasNamed = files.some(({ arch }) => arch !== '')
  if (platform === 'darwin') return hasNamed ? 'x86_64' : ANY_ARCH
  return isCombined(file, files) ? ANY_ARCH : 'x86_64'
}

/** Returns whether other files of the same kind name their arch, so that one without means what they leave. */
function isCombined({ kind }: ListedFile, files: readonly ListedFile[]): boolean {
  return files.some((other) => other.kind === kind && other.arch !== '')
}

function readManifest(text: string) {
  const result = Manifest.safeParse(parseYaml(text))
  if (!result.success) return undefined
  const { version, files, path, sha512 } = result.data
  const single = path && sha512 ? [{ url: path, sha512, size: null }] : undefined
  const entries: readonly Entry[] | undefined = files?.length ? files : single
  return entries && { version, files: entries, members: result.data }
}

/** electron-builder writes none, and each in another multiplies what comes of a small file. */
const MAX_ALIASES = 10

/** Returns what a manifest says, with electron-updater's parser; undefined for what is not YAML. */
export function parseYaml(text: string): unknown {
  try {
    return load(text.replace(/^\uFEFF/, ''), { maxAliases: MAX_ALIASES })
  } catch {
    return undefined
  }
}

/** How names of manifests end: with the system, and an arch if it has a manifest of its own. */
const ENDING = /^.*(-(mac|linux)(?:-([a-z0-9_]+))?\.ya?ml)$/i
/** Those of Node that names of files are not searched for. */
const NODE_ARCHES = ['mips', 'mipsel', 'ppc64', 's390x']

/**
 * Returns the platform of a manifest, by its name. A channel can be called `my-mac-app`, or `my-mac`, whose manifest for Windows
 * looks like one for macOS: the files that it lists, with those addresses, tell them apart.
 */
export function platformOf(fileName: string, urls: readonly string[]): string {
  const [, ending = '', system = '', arch] = ENDING.exec(fileName) ?? []
  const platform = system.toLowerCase() === 'mac' ? 'darwin' : system.toLowerCase()
  const isNamed = platform !== '' && (arch === undefined || archOf(ending, platform) !== '')
  if (!isNamed) return 'windows'
  const isExe = urls.length > 0 && urls.every((url) => /\.exe$/i.test(fileNameOf(url)))
  return isExe && !/^latest-/i.test(fileName) ? 'windows' : platform
}

/** The arch in the name of a manifest: Node's after `-linux-`, or a word such as in `latest-arm64.yml`; else empty. */
export function archOf(fileName: string, platform: string): string {
  const node = ENDING.exec(fileName)?.[3]?.toLowerCase() ?? ''
  return guessArch(fileName, platform) || (NODE_ARCHES.includes(node) ? node : '')
}
