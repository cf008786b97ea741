import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import { parsedBy } from '../../../shared/issue.ts'
import { PublishBody } from '../../../shared/releases/release.ts'
import { UsageError } from '../command/errors.ts'
import { readText } from '../release/release-files.ts'
import { text } from '../strings/publish.ts'
import { isFile } from './built-file.ts'

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
