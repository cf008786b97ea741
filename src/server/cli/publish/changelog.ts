import { readVersion } from '../../../shared/version.ts'

/** A section of a Markdown file: its heading, and what follows up to the next one of the same or a higher level. */
export interface Section {
  /** The heading without its marks. */
  readonly heading: string
  /** Without the heading, and without blank lines around it. */
  readonly body: string
}

interface Heading {
  readonly level: number
  readonly heading: string
  /** The line of the heading, and the first line after it. */
  readonly line: number
  readonly next: number
}

/**
 * Finds the section of a changelog that `name` names: a version, with and without a leading `v`, brackets, a link or a
 * date in the heading (`## [1.4.0] - 2026-11-02`), or else the heading itself in either case. Returns undefined if there
 * is none. References of links that the section uses are added to it, because changelogs keep them at their end.
 */
export function changelogSection(markdown: string, name: string): Section | undefined {
  const lines = markdown.split(/\r?\n/)
  const headings = headingsOf(lines)
  const wanted = headings.findIndex(({ heading }) => isNamed(heading, name))
  const found = headings[wanted]
  if (found === undefined) return undefined
  const end = headings.slice(wanted + 1).find(({ level }) => level <= found.level)?.line
  const body = lines.slice(found.next, end)
  const references = lines.filter((line) => REFERENCE.test(line))
  const text = body
    .filter((line) => !REFERENCE.test(line))
    .join('\n')
    .trim()
  const used = references.filter((line) => uses(text, REFERENCE.exec(line)?.[1] ?? ''))
  const full = used.length === 0 ? text : `${text}\n\n${used.join('\n')}`
  return { heading: found.heading, body: full.trim() }
}

/** Returns the versions that have a section, in the order of the file. */
export function changelogVersions(markdown: string): string[] {
  return headingsOf(markdown.split(/\r?\n/)).flatMap(({ heading }) => versionIn(heading) ?? [])
}

/** `[1.4.0]: https://…` (CommonMark 4.7). */
const REFERENCE = /^ {0,3}\[([^\]]+)\]:\s*\S/

function uses(text: string, label: string): boolean {
  return text.toLowerCase().includes(`[${label.toLowerCase()}]`)
}

/** Headings of either form (CommonMark 4.2 and 4.3), outside of code blocks. */
function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = []
  let fence: string | undefined
  lines.forEach((text, line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(text)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && text.trim() === mark) fence = undefined
      return
    }
    if (mark !== undefined) {
      fence = mark
      return
    }
    const [, marks, heading = ''] =
      /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/.exec(text) ?? []
    if (marks !== undefined) headings.push({ level: marks.length, heading, line, next: line + 1 })
    const underline = /^ {0,3}(=+|-+)[ \t]*$/.exec(lines[line + 1] ?? '')?.[1]
    if (marks === undefined && underline !== undefined && /^ {0,3}\S/.test(text)) {
      const level = underline.startsWith('=') ? 1 : 2
      headings.push({ level, heading: text.trim(), line, next: line + 2 })
    }
  })
  return headings
}

function isNamed(heading: string, name: string): boolean {
  const version = plainVersion(name)
  if (version !== undefined) return versionIn(heading) === version
  const plain = (text: string) => text.replace(/[[\]]/g, '').trim().toLowerCase()
  return plain(heading) === plain(name)
}

/** The first version in a heading; dates such as `2026-11-02` are none. */
function versionIn(heading: string): string | undefined {
  const words = heading.split(/[\s[\]()<>,:]+/)
  return words.map(plainVersion).find((version) => version !== undefined)
}

function plainVersion(text: string): string | undefined {
  const read = readVersion(text)
  return read.ok ? read.version.text : undefined
}
