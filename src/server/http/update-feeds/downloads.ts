import { artifactOf, nameBeside, readDocument } from '../../../shared/artifacts/document.ts'
import type { DocumentUpdater } from '../../../shared/signed-document.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { OutOfContact } from '../../catalog/errors.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { decoded } from '../../hosting/file-addresses.ts'
import { HttpError } from '../answer/errors.ts'
import { type Check, createAnswering, pathOf } from '../check/answering.ts'
import { partsOf } from '../check/check-path.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'

/** The files that have an address beside a feed. */
interface Downloads {
  /** Whether a path, decoded, is that of a file, and not of the feed. */
  isFile(path: string): boolean
  /** Returns the address of a file, by the parts of the path after the channel; undefined if there is none. */
  find(channel: CatalogChannel, parts: readonly string[]): string | undefined
}

/** Returns a check that redirects from the files beside a feed to where they are. A download is no check: it is not counted. */
export function withDownloads(
  context: ApiContext,
  feed: Check,
  { isFile, find }: Downloads,
): Check {
  const download = createAnswering(
    { ...context, checkCounts: undefined },
    {
      answer({ url }, snapshot) {
        const path = pathOf(url)
        const [, app = '', name = '', ...parts] = partsOf(path)
        const found = find(requireChannel(requireApp(snapshot, app), name), parts)
        if (found === undefined) throw new HttpError(404, text.unknownRoute('GET', path))
        const headers = { 'Cache-Control': 'no-store', Location: found, 'Content-Length': 0 }
        return { status: 302, headers }
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

const known = new WeakMap<CatalogChannel['compiled'], ReadonlyMap<string, string>>()

/**
 * Returns the address of a file that a signed document of a published release names, or of its block map. Undefined if there
 * is none.
 */
export function addressBeside(
  { compiled }: CatalogChannel,
  updater: DocumentUpdater,
  name: string,
): string | undefined {
  const files = known.get(compiled) ?? filesBeside(compiled.published)
  known.set(compiled, files)
  const plain = name.endsWith(BLOCK_MAP) ? name.slice(0, -BLOCK_MAP.length) : name
  const found = files.get(`${updater}/${plain}`)
  if (found === undefined) return undefined
  const address = new URL(found)
  address.pathname += name.slice(plain.length)
  return address.href
}

/** By updater and name: anyone can ask, so that a request must not cost as much as a channel has releases. */
function filesBeside(releases: CatalogChannel['compiled']['published']): Map<string, string> {
  const files = new Map<string, string>()
  for (const { facts } of releases) {
    for (const document of facts.documents ?? []) {
      for (const file of readDocument(document)?.files ?? []) {
        const artifact = artifactOf(file, facts.artifacts)
        if (artifact) files.set(`${document.updater}/${nameBeside(file)}`, artifact.url)
      }
    }
  }
  return files
}
