import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { isDeeper } from '../../../shared/files/artifact-details.ts'
import { type FileFields, readFields } from './file-fields.ts'
import type { FileProblem } from './file-problem.ts'
import type { SettingName } from './table.ts'

/** A string with the colon that makes it a name, or what begins or ends an array or object. */
const PARTS = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|([[{])|[\]}]/g

/**
 * Returns the fields that an object has more than once, in the order of their second appearance. `JSON.parse` keeps the
 * last of them and does not tell. `json` must be valid JSON: only then is every colon after a string that of a name.
 */
function repeatedFields(json: string): readonly string[] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  let depth = 0
  for (const [, string, colon, opening] of json.matchAll(PARTS)) {
    if (string === undefined) depth += opening === undefined ? -1 : 1
    else if (colon !== undefined && depth === 1) {
      // Escapes write the same name in another way.
      const field = String(JSON.parse(string))
      if (seen.has(field)) repeated.add(field)
      seen.add(field)
    }
  }
  return [...repeated]
}

export interface ConfigFile {
  readonly file: string
  readonly exists: boolean
  readonly values: ReadonlyMap<SettingName, unknown>
  /** Empty if the file is valid, or missing. */
  readonly problems: readonly FileProblem[]
}

/** Bytes of a configuration file. */
const MAX_BYTES = 64_000
/** Arrays and objects in each other; the settings need two. */
const MAX_DEPTH = 8

/** Returns the configuration file of a data folder. */
export function configFileIn(dataFolder: string): string {
  return join(dataFolder, 'tidegate.json')
}

/** Reads and checks a configuration file. Never throws, and changes nothing. */
export function readConfigFile(file: string): ConfigFile {
  const read = textOf(file)
  if (read === undefined) return { file, exists: false, values: new Map(), problems: [] }
  const fields = 'problem' in read ? only(read.problem) : fieldsOf(file, read.text)
  return { file, exists: true, ...fields }
}

/** Undefined for a missing file. */
function textOf(file: string): { text: string } | { problem: FileProblem } | undefined {
  try {
    // First, because opening a pipe would wait for its other end.
    if (!statSync(file).isFile()) return { problem: { code: 'not_a_file' } }
    const bytes = readBounded(file)
    if (bytes === undefined) return { problem: { code: 'too_large', maxBytes: MAX_BYTES } }
    // Without the mark that editors on Windows put at the start.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: { code: 'not_utf8' } }
    const reason = messageOf(error)
    const isDenied = code === 'EACCES' || code === 'EPERM'
    return { problem: { code: isDenied ? 'denied' : 'unreadable', reason } }
  }
}

/** Undefined for a file that is too large. Reads no more, also of one that grows or that states no size. */
function readBounded(file: string): Buffer | undefined {
  const descriptor = openSync(file, 'r')
  try {
    if (fstatSync(descriptor).size > MAX_BYTES) return undefined
    const buffer = Buffer.alloc(MAX_BYTES)
    const length = readSync(descriptor, buffer, 0, MAX_BYTES, 0)
    return buffer.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

function fieldsOf(file: string, text: string): FileFields {
  const parsed = parse(text)
  if ('problem' in parsed) return only(parsed.problem)
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return only({ code: 'not_an_object' })
  }
  if (isDeeper(value, MAX_DEPTH)) return only({ code: 'too_deep', maxDepth: MAX_DEPTH })
  const { values, problems } = readFields(file, value)
  const repeated = repeatedFields(text)
  return {
    values: new Map([...values].filter(([name]) => !repeated.includes(name))),
    problems: [...repeated.map((field) => ({ code: 'repeated', field }) as const), ...problems],
  }
}

function parse(text: string): { value: unknown } | { problem: FileProblem } {
  try {
    return { value: JSON.parse(text) }
  } catch (error) {
    // What else V8 says quotes the file, which could hold a secret.
    const place = /\(?line \d+,? column \d+\)?/.exec(messageOf(error))?.[0].replace(/[()]/g, '')
    return { problem: { code: 'not_json', place } }
  }
}

function only(problem: FileProblem): FileFields {
  return { values: new Map(), problems: [problem] }
}
