import { fileBeside } from '../../../shared/artifacts/document.ts'
import type { DocumentUpdater } from '../../../shared/signed-document.ts'
import { requireApp, requireChannel } from '../../catalog/catalog.ts'
import { OutOfContact } from '../../catalog/errors.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
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
  return (request) => (isFile(decoded(pathOf(request.url))) ? download(request) : feed(request))
}

/** Empty for what cannot be decoded, which both refuse. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

const BLOCK_MAP = '.blockmap'

/**
 * Returns the address of a file that a signed document of a published release names, or of its block map: the latest one
 * has the name. Undefined if there is none.
 */
export function addressBeside(
  { compiled }: CatalogChannel,
  updater: DocumentUpdater,
  name: string,
): string | undefined {
  const plain = name.endsWith(BLOCK_MAP) ? name.slice(0, -BLOCK_MAP.length) : name
  for (const { facts } of compiled.published.toReversed()) {
    const file = facts.documents && fileBeside(facts, updater, plain)
    if (file === undefined) continue
    const address = new URL(file.url)
    address.pathname += name.slice(plain.length)
    return address.href
  }
  return undefined
}
