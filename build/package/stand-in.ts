import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import { oppositeWire } from './fuses.ts'
import type { Target } from './target.ts'

/** The mark in front of the fuses in Electron's executable; @electron/fuses looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

const MAC_HELPERS = ['', ' (GPU)', ' (Plugin)', ' (Renderer)']
const ENGLISH_UTF16 = { lang: 0x0409, codepage: 1200 }
const EMPTY_PLIST = '<?xml version="1.0"?><plist version="1.0"><dict></dict></plist>'

/**
 * Creates a folder that electron-builder accepts as an unpacked Electron. Its executable only fails;
 * it ends with the sentinel and the fuses that the real one contains.
 */
export function makeStandInElectron(
  folder: string,
  version: string,
  platform: Target['platform'],
): void {
  put(join(folder, 'version'), version)
  if (platform === 'darwin') makeMacApp(join(folder, 'Electron.app/Contents'))
  else if (platform === 'win32') makeWindowsFolder(folder)
  else makeLinuxFolder(folder)
}

function makeLinuxFolder(folder: string): void {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true })
  putExecutable(join(folder, 'electron'))
}

/** The executable must be a real one with a version resource, which electron-builder edits. */
function makeWindowsFolder(folder: string): void {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true })
  const executable = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(executable)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues(ENGLISH_UTF16, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  put(join(folder, 'electron.exe'), withFuses(Buffer.from(executable.generate())), 0o755)
}

/** The bundles that electron-builder renames and describes. The fuses lie in the framework. */
function makeMacApp(contents: string): void {
  const frameworks = join(contents, 'Frameworks')
  mkdirSync(join(contents, 'Resources'), { recursive: true })
  put(join(contents, 'Info.plist'), EMPTY_PLIST)
  putExecutable(join(contents, 'MacOS/Electron'))
  putExecutable(join(frameworks, 'Electron Framework.framework/Electron Framework'))
  for (const kind of MAC_HELPERS) {
    const helper = join(frameworks, `Electron Helper${kind}.app/Contents`)
    put(join(helper, 'Info.plist'), EMPTY_PLIST)
    putExecutable(join(helper, `MacOS/Electron Helper${kind}`))
  }
}

function putExecutable(file: string): void {
  const program = Buffer.from('#!/bin/sh\necho "This is a stand-in for Electron." >&2\nexit 1\n')
  put(file, withFuses(program), 0o755)
}

function withFuses(program: Buffer): Buffer {
  return Buffer.concat([program, Buffer.from(SENTINEL), oppositeWire()])
}

function put(file: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content, { mode })
}
