import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { oppositeWire } from './fuses.ts'
import type { Target } from './target.ts'

/** The mark in front of the fuses in Electron's executable; @electron/fuses looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

const MAC_HELPERS = ['', ' (GPU)', ' (Plugin)', ' (Renderer)']
const EMPTY_PLIST = '<?xml version="1.0"?><plist version="1.0"><dict></dict></plist>'

/**
 * Makes a folder that electron-builder takes for an unpacked Electron. Its executable only fails; at
 * its end it has the mark and the fuses that the real one has somewhere inside.
 */
export function makeStandInElectron(
  folder: string,
  version: string,
  platform: Exclude<Target['platform'], 'win32'>,
): void {
  put(join(folder, 'version'), version)
  if (platform === 'darwin') makeMacApp(join(folder, 'Electron.app/Contents'))
  else makeLinuxFolder(folder)
}

function makeLinuxFolder(folder: string): void {
  for (const name of ['resources', 'locales']) mkdirSync(join(folder, name), { recursive: true })
  putExecutable(join(folder, 'electron'))
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
  put(file, Buffer.concat([program, Buffer.from(SENTINEL), oppositeWire()]), 0o755)
}

function put(file: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content, { mode })
}
