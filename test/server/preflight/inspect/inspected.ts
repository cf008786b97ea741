import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  type FileFacts,
  INSPECT_LIMITS,
  type InspectLimits,
} from '../../../../src/server/preflight/inspect/facts.ts'
import { inspectFile } from '../../../../src/server/preflight/inspect/inspect.ts'

const ROOT = join(import.meta.dirname, '../../../..')

interface Inspected {
  readonly facts: FileFacts
  /** Bytes that were read. */
  readonly read: number
}

/** Inspects what is in memory, and checks that only what exists is read. */
export async function inspected(
  bytes: Buffer,
  limits: Partial<InspectLimits> = {},
): Promise<Inspected> {
  let read = 0
  const file = {
    name: 'file',
    size: bytes.length,
    isNear: true,
    async read(offset: number, length: number) {
      if (offset < 0 || length < 0 || offset + length > bytes.length) {
        throw new Error(`read ${length} bytes at ${offset} of ${bytes.length}`)
      }
      read += length
      return bytes.subarray(offset, offset + length)
    },
  }
  return { facts: await inspectFile(file, { ...INSPECT_LIMITS, ...limits }), read }
}

/** Inspects a file of a folder. */
export async function factsOf(...path: readonly string[]): Promise<FileFacts> {
  return (await inspected(readFileSync(join(...path)))).facts
}

/**
 * A file that a real tool made. `resources/` in the archives has an `app-update.yml`, and an `app.asar` of `@electron/asar`
 * with version 2.3.4 in its `package.json`; `App.exe` the headers of a program for ARM64.
 * - `electron-builder.7z`: `7z a -mx=9 -mf=BCJ -ms=off -mhc=off`, as electron-builder packs an app for NSIS, with `calls.bin`
 * - `solid.7z`: `7z a -m0=lzma -mf=off`; `bcj2.7z`: `7z a -mx=9 -ms=off -mf=BCJ2`
 * - `bomb.7z`: `7z a -m0=lzma -mqs=off`, of 16 MiB of zeros with `app-update.yml` behind them
 * - `gzip.squashfs`, `xz.squashfs`, `zstd.squashfs`: `mksquashfs -comp`
 * - `plain.squashfs`: the same with `-noI -noD -noF`, not compressed
 * - `app.msi`: `wixl` of msitools
 * - `Info.plist`: binary, by `plistlib` of Python
 */
export function fixture(name: string): Buffer {
  return readFileSync(join(import.meta.dirname, 'fixtures', name))
}

/** What `app-update.yml` of the fixtures says. */
export const FEED = {
  provider: 'generic',
  url: 'https://updates.example.com/feed',
  channel: 'latest',
  publisherName: ['Example Ltd'],
}

/** That as it is written. */
export const APP_UPDATE = Buffer.from(JSON.stringify(FEED))

/** Returns an AppImage with a file system of the fixtures behind the headers of a program for ARM64. */
export function appImage(fileSystem: string): Buffer {
  const runtime = Buffer.from(library('linux-arm64').subarray(0, 64))
  runtime.write('AI\x02', 8, 'latin1')
  // No sections: the file system begins where their table ends.
  runtime.writeBigUInt64LE(64n, 40)
  runtime.writeUInt16LE(0, 60)
  return Buffer.concat([runtime, fixture(fileSystem)])
}

/** A library of better-sqlite3 for a system and an architecture, such as `darwin-arm64`: a real Mach-O, ELF or PE file. */
export function library(target: string): Buffer {
  const package_ = createRequire(import.meta.url).resolve('better-sqlite3/package.json')
  return readFileSync(join(package_, '../prebuilds', `${target}.node`))
}

/** Path of a file of a package of the tools of packaging. */
export function toolFile(path: string): string {
  return join(ROOT, 'build/node_modules', path)
}

/** Loads a package of the tools of packaging. */
export function toolModule(name: string): unknown {
  return createRequire(join(ROOT, 'build/package.json'))(name)
}
