import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import type { Heading, Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { parsedBy } from '../../../shared/issue.ts'
import { PublishBody } from '../../../shared/releases/release.ts'
import { readVersion } from '../../../shared/releases/version.ts'
import { UsageError } from '../command/errors.ts'
import { readText } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'
import { isFile } from './built-file.ts'

/** A section of a Markdown file: what follows its heading, up to the next one that ends it. */
export interface Section {
  /** The heading as text. */
  readonly heading: string
  /** As it is written, without the heading, comments, and lines and anchors before the next heading. */
  readonly body: string
}

/** A heading that may begin a section; `version` is undefined for one that names none. */
interface Entry {
  readonly at: number
  readonly depth: number
  readonly heading: string
  readonly version: string | undefined
  /** Whether the version comes first, and is not one that the heading only mentions. */
  readonly isFirst: boolean
}

/**
 * Finds the section of a changelog that `name` names: a version, with or without a leading `v`, as it is written by people
 * and by keep-a-changelog, standard-version, release-please and changesets (`## [1.4.0] - 2026-11-02`, `# editor@1.4.0`,
 * `## **1.4.0**`), or else the heading itself in either case. Returns undefined if there is none. It ends at the next
 * heading of a version, whatever its level, because standard-version writes those of patches one level lower.
 * Definitions of links that the section uses are added to it: changelogs keep them at their end.
 */
export function changelogSection(markdown: string, name: string): Section | undefined {
  const source = plainLines(markdown)
  const { children } = fromMarkdown(source)
  const entries = entriesOf(children)
  const wanted = plainVersion(name)
  const core = wanted?.replace(/\+.*$/, '') ?? ''
  const called = (version: string) => {
    const named = entries.filter((each) => each.version === version)
    return named.find(({ isFirst }) => isFirst) ?? named[0]
  }
  const found =
    wanted === undefined
      ? entries.find(({ heading }) => plainName(heading) === plainName(name))
      : // Changelogs leave out the build number, which versions of Sparkle have, and a patch of 0.
        (called(wanted) ?? called(core) ?? entries.find(({ heading }) => isShort(heading, core)))
  if (found === undefined) return undefined
  const top = Math.min(...entries.flatMap(({ version, depth }) => (version ? [depth] : [])))
  const next = entries.find(
    ({ at, version, depth }) =>
      at > found.at &&
      // Below a patch of standard-version, its parts have the same level.
      (version !== undefined || depth < found.depth || (depth === found.depth && depth <= top)),
  )
  const within = withoutEnd(children.slice(found.at + 1, next?.at))
  const text = sourceOf(
    source,
    within.filter(({ type }) => type !== 'definition'),
  )
  const used = children.filter(
    (node) => node.type === 'definition' && uses(text, node.label ?? node.identifier),
  )
  const definitions = used.map((node) => sourceOf(source, [node])).join('\n')
  return { heading: found.heading, body: [text, definitions].join('\n\n').trim() }
}

/** Returns the versions that have a section, in the order of the file. */
export function changelogVersions(markdown: string): string[] {
  const { children } = fromMarkdown(plainLines(markdown))
  return entriesOf(children).flatMap(({ version }) => version ?? [])
}

function plainLines(markdown: string): string {
  return markdown.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

/** The headings of the document. One that only mentions a version names none within the section of a version. */
function entriesOf(children: readonly RootContent[]): Entry[] {
  let section = Infinity
  return children.flatMap((node, at) => {
    if (node.type !== 'heading') return []
    const entry = entryOf(node, at)
    const isNamed = entry.version !== undefined && (entry.isFirst || entry.depth <= section)
    if (isNamed) section = entry.depth
    else if (entry.depth < section) section = Infinity
    return [isNamed ? entry : { ...entry, version: undefined }]
  })
}

function entryOf(node: Heading, at: number): Entry {
  const heading = textOf(node, { includeHtml: false }).trim()
  const words = heading.split(/[\s[\]()<>,:]+/).filter((word) => word !== '')
  const position = words.findIndex((word) => versionIn(word) !== undefined)
  const version = versionIn(words[position] ?? '')
  const isFirst =
    position === 0 || (position === 1 && /^(v|version|release)$/i.test(words[0] ?? ''))
  return { at, depth: node.depth, heading, version, isFirst }
}

/** Without what belongs to the next section, and what is above it: `---`, and `<a name="1.3.0"></a>`. */
function withoutEnd(nodes: readonly RootContent[]): readonly RootContent[] {
  const end = nodes.findLastIndex((node) => {
    const isAnchor = /^<a\s[^>]*>\s*<\/a>$/.test(textOf(node))
    return (
      node.type !== 'thematicBreak' && node.type !== 'definition' && !isAnchor && !isComment(node)
    )
  })
  return nodes.slice(0, end + 1)
}

/** As it is written, with the blank lines between the nodes, and without comments. */
function sourceOf(source: string, nodes: readonly RootContent[]): string {
  let text = ''
  let last: number | undefined
  for (const node of nodes) {
    const [from, to] = [node.position?.start.offset ?? 0, node.position?.end.offset ?? 0]
    if (isComment(node)) continue
    if (last !== undefined) text += /\n\s*\n/.test(source.slice(last, from)) ? '\n\n' : '\n'
    text += source.slice(from, to)
    last = to
  }
  return text
}

function isComment(node: Nodes): boolean {
  return node.type === 'html' && /^(<!--[\s\S]*?-->\s*)+$/.test(node.value)
}

function uses(text: string, label: string): boolean {
  return text.toLowerCase().includes(`[${label.toLowerCase()}]`)
}

function plainName(heading: string): string {
  return heading.replace(/[[\]]/g, '').trim().toLowerCase()
}

/** Returns whether a heading begins with a version without its patch of 0, such as `1.4` for 1.4.0. */
function isShort(heading: string, version: string): boolean {
  const [first] = plainName(heading)
    .replace(/^(?:version\s+|release\s+|v)/, '')
    .split(/[\s:(]/)
  return first !== undefined && `${first}.0` === version
}

/** Also after the name of a package: `editor@1.4.0`, `editor-v1.4.0`. */
function versionIn(word: string): string | undefined {
  return plainVersion(word) ?? plainVersion(word.replace(/^.*(@|-(?=v\d))/, ''))
}

function plainVersion(text: string): string | undefined {
  const read = readVersion(text)
  return read.ok ? read.version.text : undefined
}

/** Reads release notes: a file, a changelog's section (`CHANGELOG.md#1.4.0`), or stdin (`-`). Throws `UsageError` and `Failure`. */
export async function readNotes(source: string, version: string): Promise<string> {
  return parsedBy(PublishBody.shape.notes, await read(source, version), ({ reason }) => {
    return new UsageError(text.wrongNotes(source, reason))
  })
}

async function read(source: string, version: string): Promise<string> {
  if (source === '-') return await readInput()
  const mark = source.lastIndexOf('#')
  if (mark === -1 || isFile(source)) return readText('--notes', source)
  const [file, name] = [source.slice(0, mark), source.slice(mark + 1) || version]
  const markdown = readText('--notes', file)
  const { changelogSection, changelogVersions } = await import('./changelog.ts')
  const section = changelogSection(markdown, name)
  if (section === undefined) {
    throw new UsageError(text.noSection(file, name, changelogVersions(markdown)))
  }
  if (section.body === '') throw new UsageError(text.emptySection(file, section.heading))
  return section.body
}

async function readInput(): Promise<string> {
  const bytes = await buffer(process.stdin)
  if (!isUtf8(bytes)) throw new UsageError(text.wrongNotes('-', text.notUtf8))
  return bytes.toString('utf8')
}
