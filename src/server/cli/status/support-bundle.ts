import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { VERSION } from '../../runtime/version.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { addLocalCommand, type ReadOptions } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { FileName, valid } from '../command/valid.ts'
import type { DataOptions } from '../data/data-folder.ts'
import { findingsInWords } from '../data/doctor.ts'
import { SupportBundleDocument } from '../documents/documents.ts'
import { ServerNotRunning } from '../server/remote-errors.ts'
import { addSettingOptions } from '../settings/options.ts'
import { type ReadSettings, readSettings } from '../settings/read.ts'
import { SETTING_NAMES, shownValue } from '../settings/table.ts'
import { text as words } from '../strings/status.ts'

/** Bytes that are read from the end of a log. */
const MAX_BYTES = 512 * 1_024
const MAX_LINES = 2_000
/** API keys, and whatever may be the ID of a device. */
const SECRETS = /\btg_[\w-]+|\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi

/** Returns the last lines of a log, without keys and IDs, at most 2,000 and 512 KiB. Undefined if it cannot be read. */
async function lastLogLines(file: string): Promise<string[] | undefined> {
  try {
    const handle = await open(file)
    try {
      const { size } = await handle.stat()
      const from = Math.max(0, size - MAX_BYTES)
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(size - from),
        0,
        size - from,
        from,
      )
      const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
      // It may begin within a line.
      if (from > 0) lines.shift()
      return lines
        .filter((line) => line !== '')
        .slice(-MAX_LINES)
        .map((line) => line.replace(SECRETS, '[removed]'))
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}

interface BundleOptions extends ReadOptions {
  readonly output?: string
}

interface Part {
  readonly name: string
  readonly contents: string
  readonly text: string
}

/** `support-bundle`. */
export function addSupportBundleCommand(program: Command): void {
  const command = addLocalCommand(
    program,
    'support-bundle',
    words.support.description,
    SupportBundleDocument,
  )
  command.option('--output <file>', words.support.output, valid(FileName))
  addSettingOptions(command).action(supportBundle)
}

async function supportBundle(options: BundleOptions, command: Command): Promise<void> {
  const file = resolve(options.output ?? `tidegate-support-${fileTime()}.zip`)
  const settings = readOrNot(command)
  const { contents } = words.support
  const parts = [
    json('versions.json', contents.versions, versions()),
    json('settings.json', contents.settings, shownSettings(settings)),
    json('status.json', contents.status, await statusOf(options)),
    json('database.json', contents.database, await databaseOf(options)),
  ]
  const logFile = settings instanceof UsageError ? undefined : settings.values.logFile
  const lines = logFile === undefined ? undefined : await lastLogLines(logFile)
  if (lines !== undefined) {
    const text = lines.map((line) => `${line}\n`).join('')
    parts.push({ name: 'log.jsonl', contents: contents.log(lines.length), text })
  }
  const bytes = await write(file, parts)
  const listed = parts.map(({ name, contents }) => ({ name, contents }))
  const rows = listed.map((part) => [part.name, part.contents])
  printAnswer(options, SupportBundleDocument, { file, bytes, contents: listed }, () => {
    print(words.support.written(file, bytes))
    print('')
    printTable(words.support.headings, rows, words.support.none)
    print('')
    if (lines === undefined) print(words.support.withoutLog)
    print(words.support.notInIt)
  })
}

/** Settings that cannot be read are what somebody may need support for. */
function readOrNot(command: Command): ReadSettings | UsageError {
  try {
    return readSettings(command)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
}

function shownSettings(settings: ReadSettings | UsageError): object {
  if (settings instanceof UsageError) return { error: settings.message }
  const { dataFolder, file, hasFile, values, sourceOf } = settings
  const shown = SETTING_NAMES.map((name) => {
    return { name, value: shownValue(name, values[name]), source: sourceOf(name) }
  })
  return { dataFolder, file: { path: file, exists: hasFile }, settings: shown }
}

function versions(): object {
  const { platform, arch, versions } = process
  const [processor] = cpus()
  return {
    tidegate: VERSION,
    platform,
    arch,
    system: release(),
    processors: { count: cpus().length, model: processor?.model ?? null },
    memoryBytes: totalmem(),
    ...versions,
  }
}

async function statusOf(options: DataOptions): Promise<object> {
  const { askStatus } = await import('../server/status-call.ts')
  return await orError(async () => {
    try {
      return { running: true, ...(await askStatus(options)).answer }
    } catch (error) {
      if (error instanceof ServerNotRunning) return { running: false }
      throw error
    }
  })
}

async function databaseOf(options: DataOptions): Promise<object> {
  const { existingStorage } = await import('../data/database.ts')
  return await orError(async () => {
    const examined = await (await existingStorage(options)).examine()
    return { ...examined, findings: findingsInWords(examined) }
  })
}

async function orError(read: () => Promise<object>): Promise<object> {
  try {
    return await read()
  } catch (error) {
    return { error: messageOf(error) }
  }
}

function json(name: string, contents: string, value: object): Part {
  return { name, contents, text: `${JSON.stringify(value, null, 2)}\n` }
}

async function write(file: string, parts: readonly Part[]): Promise<number> {
  const { strToU8, zipSync } = await import('fflate')
  const zipped = zipSync(Object.fromEntries(parts.map(({ name, text }) => [name, strToU8(text)])))
  try {
    writeFileSync(file, zipped, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new Failure(words.support.exists(file))
    }
    throw error
  }
  return zipped.length
}

/** `2026-03-14T09-30-00Z`. */
function fileTime(): string {
  return new Date().toISOString().replace(/\.\d+/, '').replaceAll(':', '-')
}
