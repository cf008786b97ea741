import { setImmediate } from 'node:timers/promises'
import {
  artifactOf,
  fileBeside,
  nameBeside,
  readDocument,
} from '../../../shared/artifacts/documents/document.ts'
import type { DocumentUpdater } from '../../../shared/files/updater.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { OutOfContact } from '../../catalog/errors.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { decoded } from '../../hosting/file-addresses.ts'
import type { CompiledChannel, ReleaseFacts } from '../../rules/decision/channel.ts'
import { archOn, type FileChoice, filesOf } from '../../rules/decision/view.ts'
import { deltaOf } from '../../rules/updaters/delta-chain.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { nameInList } from '../../rules/updaters/packages.ts'
import { oncePer } from '../../runtime/once-per.ts'
import { viewInFeed } from '../../use-cases/fleet/check-feed.ts'
import { HttpError } from '../answer/errors.ts'
import { type Check, createAnswering, pathOf } from '../check/answering.ts'
import { partsOf } from '../check/check-path.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'
import type { FeedFiles } from './feed-format.ts'

/** Returns a check that redirects from the files beside a feed to where they are. A download is no check: it is not counted. */
export function withDownloads(
  context: ApiContext,
  feed: Check,
  { isFile, find, unknown }: FeedFiles,
): Check {
  const download = createAnswering(
    { ...context, checkCounts: undefined },
    {
      answer({ url }, snapshot) {
        const path = pathOf(url)
        const [, app = '', name = '', ...parts] = partsOf(path)
        const channel = requireChannel(requireApp(snapshot, app), name)
        const reply = (found: string | undefined) => {
          if (found === undefined) {
            throw new HttpError(404, unknown?.(channel, parts) ?? text.unknownRoute('GET', path))
          }
          const headers = { 'Cache-Control': 'no-store', Location: found, 'Content-Length': 0 }
          return { status: 302, headers }
        }
        const found = find(channel, parts)
        return found instanceof Promise ? found.then(reply) : reply(found)
      },
      withoutUpdate() {
        throw new OutOfContact()
      },
    },
  )
  // What cannot be decoded, both refuse.
  return (request) => (isFile(decoded(pathOf(request.url))) ? download(request) : feed(request))
}

const BLOCK_MAP = '.blockmap'

type Documented = CompiledChannel<ReleaseFacts & Pick<ReleaseRecord, 'documents'>>

/** Most releases whose documents are read at once. */
const MAX_READ = 16

/**
 * Returns the address of a file that a document of a published release names, or of its block map. Undefined if there is none.
 * Anyone can ask: it reads the documents of releases whose version is in the name, highest first, and with the first name that
 * none of them has all documents in pieces, once.
 */
export function addressBeside(
  { compiled }: { readonly compiled: Documented },
  updater: DocumentUpdater,
  name: string,
): ReturnType<FeedFiles['find']> {
  const plain = name.endsWith(BLOCK_MAP) ? name.slice(0, -BLOCK_MAP.length) : name
  const addressOf = (found: string | undefined) => {
    if (found === undefined) return undefined
    const address = new URL(found)
    address.pathname += name.slice(plain.length)
    return address.href
  }
  let files = known.get(compiled)
  if (files === undefined) {
    let read = 0
    for (const { version, facts } of withDocuments(compiled)) {
      if (!plain.includes(version.text.replace(/\+.*$/, ''))) continue
      const file = fileBeside(facts, updater, plain)
      if (file !== undefined) return addressOf(file.url)
      read += 1
      if (read === MAX_READ) break
    }
    files = filesBeside(withDocuments(compiled))
    known.set(compiled, files)
  }
  return files.then((all) => addressOf(all.get(`${updater}/${plain}`)))
}

const known = new WeakMap<Documented, Promise<ReadonlyMap<string, string>>>()

/** By updater and name. */
async function filesBeside(releases: Documented['published']): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [index, { facts }] of releases.entries()) {
    if (index % MAX_READ === 0) await setImmediate()
    for (const document of facts.documents ?? []) {
      for (const file of readDocument(document)?.files ?? []) {
        const artifact = artifactOf(file, facts.artifacts)
        if (artifact) files.set(`${document.updater}/${nameBeside(file)}`, artifact.url)
      }
    }
  }
  return files
}

/** The published releases with documents, highest version first: no check costs as much as a channel has releases. */
export const withDocuments = oncePer(({ published }: Documented): Documented['published'] =>
  published.filter(({ facts }) => facts.documents !== undefined).toReversed(),
)

/** Returns the address of a package of a published release, by its name in lists of an arch. Undefined if there is none. */
export function packageBeside(
  channel: CatalogChannel,
  choose: (arch: string) => FileChoice,
  arch: string,
  name: string,
): string | undefined {
  const { channel: viewed } = viewInFeed(channel, choose(archOn(channel.compiled, arch)))
  // Squirrel.Windows asks once more in lower case.
  return packagesIn(viewed).get(name.toLowerCase())
}

/** The addresses of packages by their names, in lower case. */
const packagesIn = oncePer(({ published }: CatalogChannel['compiled']) => {
  const named = published.flatMap((release) => {
    const [full] = filesOf(release)
    const delta = full && deltaOf(release.facts.artifacts, full)
    return [full, delta].flatMap((file) =>
      file === undefined
        ? []
        : [nameInList(release.version, file), nameOfFile(file)].map(
            (each) => [each.toLowerCase(), file.url] as const,
          ),
    )
  })
  return new Map(named)
})
