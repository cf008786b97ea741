import type { Artifact } from '../../../shared/release.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import { addressWithArch, highestFloor } from '../../updaters/electron-files.ts'

/**
 * Returns `latest.yml` of a release as electron-builder writes it, with absolute addresses. `path` and `sha512` are
 * those of the first file, for clients older than `files`. There is no `stagingPercentage`: the server decides. What the
 * publisher's own manifest says beyond that is passed on unchanged.
 */
export function electronYaml(
  { facts, version }: ServedRelease,
  files: readonly Artifact[],
): string {
  const listed = files.map((artifact) => ({
    url: addressWithArch(artifact),
    sha512: sha512InBase64(artifact.sha512),
    ...(artifact.size > 0 ? { size: artifact.size } : {}),
    ...givenMembers(artifact),
    ...extrasOf(artifact)?.file,
  }))
  const [first] = listed
  const { releaseNotes = facts.notes, ...extras } = extrasOfAll(files)
  const minimumSystemVersion = highestFloor(files)
  return [
    ...members({ version: version.text }),
    'files:',
    ...listed.flatMap((file) =>
      members(file).map((line, at) => `${at === 0 ? '  - ' : '    '}${line}`),
    ),
    ...members(first === undefined ? {} : { path: first.url, sha512: first.sha512 }),
    ...members(minimumSystemVersion === undefined ? {} : { minimumSystemVersion }),
    ...members(extras),
    ...members(releaseNotes === '' ? {} : { releaseNotes }),
    ...members({ releaseDate: facts.createdAt }),
    '',
  ].join('\n')
}

function givenMembers({ blockMapSize, isAdminRightsRequired }: Artifact) {
  return {
    ...(blockMapSize === undefined ? {} : { blockMapSize }),
    ...(isAdminRightsRequired === undefined ? {} : { isAdminRightsRequired }),
  }
}

function extrasOf({ extra }: Artifact): Artifact['extra'] {
  return extra?.updater === 'electron' ? extra : undefined
}

/** Files of several manifests are in one feed; the first that has a member counts. */
function extrasOfAll(files: readonly Artifact[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...files.toReversed().map((file) => extrasOf(file)?.manifest))
}

/**
 * Members of a mapping, a line each. Every text is quoted: a version such as 1.10 would be a number. A text in JSON is one in
 * YAML (YAML 1.2.2, section 1.3), but for line breaks that readers of YAML 1.1 know.
 */
function members(mapping: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(mapping).map(([name, value]) => `${keyOf(name)}: ${quoted(value)}`)
}

function keyOf(name: string): string {
  return PLAIN.test(name) ? name : quoted(name)
}

function quoted(value: unknown): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(value).replace(/[\u0080-\u009f\u2028\u2029\ufeff]/g, escaped)
}

/** Names that no reader of YAML takes for something else, such as `null` or `on`. */
const PLAIN = /^(?!false$)(?:url|size|path|[a-z][a-zA-Z0-9]{4,})$/

/** electron-updater compares in base64; publishers give hex or base64. */
function sha512InBase64(hash: string): string {
  return hash.length === 128 ? Buffer.from(hash, 'hex').toString('base64') : hash
}
