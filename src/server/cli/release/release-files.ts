import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { type Issue, parsedBy } from '../../../shared/issue.ts'
import { Artifact } from '../../../shared/releases/release.ts'
import { Targets } from '../../../shared/releases/targets.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { text as publishing } from '../strings/publish.ts'
import { text as words } from '../strings/release.ts'

const MEMBERS = Object.keys(Artifact.shape)

/** Reads the option `--artifact`: `platform=…,arch=…,url=…,sha512=…` and, where given, `size` and `signature`, in any order. */
export function readArtifact(text: string): Artifact {
  const members: Record<string, unknown> = {}
  for (const part of text.split(/,(?=[A-Za-z0-9]+=)/)) {
    const mark = part.indexOf('=')
    const name = part.slice(0, mark)
    if (mark < 1) throw new InvalidArgumentError(words.artifactForm)
    if (!MEMBERS.includes(name)) {
      throw new InvalidArgumentError(words.unknownMember(name, MEMBERS))
    }
    if (name in members) throw new InvalidArgumentError(words.repeatedMember(name))
    const value = part.slice(mark + 1)
    members[name] = name === 'size' && /^\d+$/.test(value) ? Number(value) : value
  }
  return parsedBy(Artifact, members, (issue) => {
    return new InvalidArgumentError(words.wrongMember(where(issue)))
  })
}

/** Reads a JSON file with an array of artifacts. Throws `UsageError` and `Failure`. */
export function readArtifactsFile(file: string): Artifact[] {
  return readJson('--artifacts-file', file, z.array(Artifact))
}

/** Reads a JSON file with targets. Throws `UsageError` and `Failure`. */
export function readTargetsFile(file: string): Targets {
  return readJson('--targets-file', file, Targets)
}

/** Reads a text file in UTF-8. Throws `Failure`, or `UsageError` for another encoding. */
export function readText(option: string, file: string): string {
  const bytes = readBytes(option, file)
  if (!isUtf8(bytes)) throw new UsageError(words.file.problem(option, file, words.file.notUtf8))
  // The byte order mark that Windows editors add is not part of the text.
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}

/** Reads a file. Throws `Failure`. */
export function readBytes(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new Failure(publishing.unreadable(option, messageOf(error)))
  }
}

/** Reads a JSON file that fits a schema. Throws `UsageError` and `Failure`. */
export function readJson<Schema extends z.ZodType>(
  option: string,
  file: string,
  schema: Schema,
): z.output<Schema> {
  const content = parseJson(option, file, readText(option, file))
  return parsedBy(schema, content, (issue) => {
    return new UsageError(words.file.problem(option, file, where(issue)))
  })
}

function parseJson(option: string, file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(words.file.problem(option, file, words.file.notJson(messageOf(error))))
  }
}

function where({ path, reason }: Issue): string {
  return path.length === 0 ? reason : `${path.join('.')} ${reason}`
}
