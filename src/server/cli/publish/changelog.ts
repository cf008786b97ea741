import type { Heading, Nodes, RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { readVersion } from '../../../shared/releases/version.ts'

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
 * heading of a version, whatever its level, because standard-version writes those of patches one level lower. Where no
 * heading names a version, lines do that begin a paragraph and are in bold, or have only a version and a date.
 * Definitions of links that the section uses are added to it: changelogs keep them at their end.
 */
export function changelogSection(markdown: string, name: string): Section | undefined {
  const source = withHeadings(plainLines(markdown))
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
  const { children } = fromMarkdown(withHeadings(plainLines(markdown)))
  return entriesOf(children).flatMap(({ version }) => version ?? [])
}

function plainLines(markdown: string): string {
  return markdown.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
}

/** Returns the document with lines that stand for headings as such, if no heading names a version. */
function withHeadings(source: string): string {
  const { children } = fromMarkdown(source)
  if (entriesOf(children).some(({ version }) => version !== undefined)) return source
  const lines = source.split('\n')
  const lineOf = ({ position }: RootContent) => (position?.start.line ?? 1) - 1
  const titles = children.filter(
    (node) => node.type === 'paragraph' && isTitle(lines[lineOf(node)] ?? ''),
  )
  const [first] = titles
  const above = children.slice(0, first && children.indexOf(first)).findLast(isHeading)
  // What a section has below headings of its own is on a lower level, mostly the third.
  const level = '#'.repeat(Math.min((above?.depth ?? 0) + 1, 6))
  for (const at of titles.map(lineOf)) lines[at] = `${level} ${lines[at]?.trim()}\n`
  return lines.join('\n')
}

function isHeading(node: RootContent): node is Heading {
  return node.type === 'heading'
}

/** What a line can have beside a version and still be its title: a date, such as `2nd November 2026`. */
const DATE =
  /^[\W\d_]*(?:st|nd|rd|th)?[\W_]*(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\W\d_]*)?$/i

/** Returns whether a line is the title of a version: it begins with one, and is in bold or has only a date beside it. */
function isTitle(line: string): boolean {
  const words = wordsOf(textOf(fromMarkdown(line)))
  const { position, isFirst } = versionAmong(words)
  const isBold = /^(\*\*|__)(?:(?!\1).)+\1:?$/.test(line.trim())
  return isFirst && (isBold || DATE.test(words.slice(position + 1).join(' ')))
}

/** The headings of the document. One that only mentions a version names none within the section of a version. */
function entriesOf(children: readonly RootContent[]): Entry[] {
  let section = Infinity
  return children.flatMap((node, at) => {
    if (!isHeading(node)) return []
    const entry = entryOf(node, at)
    const isNamed = entry.version !== undefined && (entry.isFirst || entry.depth <= section)
    if (isNamed) section = entry.depth
    else if (entry.depth < section) section = Infinity
    return [isNamed ? entry : { ...entry, version: undefined }]
  })
}

function entryOf(node: Heading, at: number): Entry {
  const heading = textOf(node, { includeHtml: false }).trim()
  const { version, isFirst } = versionAmong(wordsOf(heading))
  return { at, depth: node.depth, heading, version, isFirst }
}

/** The words of a heading. Dashes and brackets of other scripts separate them as well, but no hyphen: `1.4.0-rc.1`. */
function wordsOf(heading: string): string[] {
  return heading
    .split(/[\s[\]()<>,:;\u2013\u2014\u3001\u3010\u3011\uFF08\uFF09\uFF0C\uFF1A]+/)
    .filter(Boolean)
}

/** Returns the first version among the words of a heading, where it is, and whether the heading begins with it. */
function versionAmong(words: readonly string[]): Pick<Entry, 'version' | 'isFirst'> & {
  readonly position: number
} {
  const position = words.findIndex((word) => versionIn(word) !== undefined)
  const isFirst =
    position === 0 || (position === 1 && /^(v\.?|version|release)$/i.test(words[0] ?? ''))
  return { version: versionIn(words[position] ?? ''), isFirst, position }
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

/** As people write it: `1.4.0.`, `v.1.4.0`, `V1.4.0`, and after the name of a package, `editor@1.4.0` or `editor-v1.4.0`. */
function versionIn(word: string): string | undefined {
  const bare = word.replace(/\.+$/, '')
  return plainVersion(bare) ?? plainVersion(bare.replace(/^(?:v\.?|.*(?:@|-(?=v\d)))/i, ''))
}

/** The fourth number that assemblies of Windows have is published as a build number. */
function plainVersion(text: string): string | undefined {
  const read = readVersion(text.replace(/^(v?\d+\.\d+\.\d+)\.(\d+)$/, '$1+$2'))
  return read.ok ? read.version.text : undefined
}
