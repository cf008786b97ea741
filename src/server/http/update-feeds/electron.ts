import { documentFor, readDocument } from '../../../shared/artifacts/documents/document.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import { filesOf } from '../../rules/decision/view.ts'
import { electronChoice } from '../../rules/updaters/choices.ts'
import {
  addressWithArch,
  highestFloor,
  packageTypeOn,
} from '../../rules/updaters/electron-files.ts'
import { HttpError } from '../answer/errors.ts'
import { readDeviceId } from '../check/check-path.ts'
import { text } from '../strings.ts'
import { documentReply, FeedBodies } from './bodies.ts'
import { addressBeside } from './downloads.ts'
import type { FeedClient, FeedFormat } from './feed-format.ts'

/**
 * Returns `latest.yml` of a release as electron-builder writes it, with absolute addresses. `path` and `sha512` are
 * those of the first file, for clients older than `files`. There is no `stagingPercentage`: the server decides. What the
 * publisher's own manifest says beyond that is passed on unchanged.
 */
function electronYaml({ facts, version }: ServedRelease, files: readonly Artifact[]): string {
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

const YAML = 'application/yaml'
const bodies = new FeedBodies(YAML)

/**
 * `/electron/{app}/{channel}/{name}` for the generic provider of electron-updater: docs/api.md, "electron-updater".
 * From its sources (`GenericProvider.ts`, `Provider.ts`, `AppUpdater.ts`): the file is `latest.yml` on Windows,
 * `latest-mac.yml`, `latest-linux.yml` on x64 and `latest-linux-<arch>.yml`, or has the name of the channel that the
 * app sets in place of `latest`. Any other status than 200 is an error, 204 and 304 too.
 */
export const ELECTRON: FeedFormat = {
  path: '/electron/',
  asks: {
    electron_updater({ version, platform, arch, bundle }) {
      const name = manifestOn(platform, arch)
      const query = { version: version.text, arch, bundle }
      return name === undefined ? undefined : { parts: [name], query }
    },
  },
  files: {
    isFile: (path) => !/\.yml\/?$/.test(path),
    find(channel, [name = '', ...more]) {
      return more.length > 0 ? undefined : addressBeside(channel, 'electron', name)
    },
    unknown: ({ record }, [name = '', ...more]) =>
      more.length > 0 ? undefined : text.feeds.electronName(name, record.name),
  },
  parameters: ['version', 'arch', 'bundle'],

  client(parts, query, channel): FeedClient | undefined {
    const [name = '', ...more] = parts
    if (more.length > 0) return undefined
    const target = targetOf(name, channel.record.name)
    if (target === undefined)
      throw new HttpError(404, text.feeds.electronName(name, channel.record.name))
    const { platform } = target
    const arch = target.arch ?? query.get('arch') ?? undefined
    const packageType = packageTypeOn(platform, query.get('bundle'))
    return {
      platform,
      arch,
      version: query.get('version') ?? undefined,
      mustList: true,
      choose: (known) => electronChoice(platform, known, packageType),
      reply(listing, given) {
        if (listing === null) throw new HttpError(404, text.feeds.nothing(placeOf(channel)))
        const { release } = listing
        const document = documentFor(release.facts, 'electron', platform, arch)
        const files = filesOf(release)
        const listed = document === undefined ? files : (readDocument(document)?.files ?? [])
        // The client replaces the query of a file's address by that of the feed (newUrlFromBase in util.ts).
        if (isReplacing(given) && listed.some(hasQuery)) {
          throw new HttpError(400, text.feeds.electronQuery(release.version.text))
        }
        if (document !== undefined) return documentReply(YAML, document)
        return bodies.reply(release, () => electronYaml(release, files))
      },
    }
  },

  deviceId({ headers }) {
    return (
      readDeviceId(headers['x-service-device']) ??
      readDeviceId(headers['x-user-staging-id'], 'x-user-staging-id')
    )
  },
}

function manifestOn(platform: string, arch: string): string | undefined {
  if (platform === 'windows') return 'latest.yml'
  if (platform === 'darwin') return 'latest-mac.yml'
  if (platform !== 'linux') return undefined
  return arch === 'x86_64' ? 'latest-linux.yml' : `latest-linux-${arch}.yml`
}

function targetOf(name: string, channel: string): { platform: string; arch?: string } | undefined {
  for (const stem of ['latest', channel]) {
    if (!name.startsWith(stem) || !name.endsWith('.yml')) continue
    const target = name.slice(stem.length, -'.yml'.length)
    if (target === '') return { platform: 'windows' }
    if (target === '-mac') return { platform: 'darwin' }
    if (target === '-linux') return { platform: 'linux', arch: 'x86_64' }
    const [, arch] = /^-linux-(.+)$/.exec(target) ?? []
    // Node's name for 32-bit ARM.
    if (arch !== undefined) return { platform: 'linux', arch: arch === 'arm' ? 'armv7' : arch }
  }
  return undefined
}

/** The client adds `noCache` itself, to feeds that have no query of their own. */
function isReplacing(query: URLSearchParams): boolean {
  return [...query.keys()].some((name) => name !== 'noCache')
}

const hasQuery = ({ url }: Pick<Artifact, 'url'>) => url.includes('?')

const placeOf = ({ app, record }: CatalogChannel) => ({ app: app.ref, channel: record.name })
