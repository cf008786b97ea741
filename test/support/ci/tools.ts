import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scriptFile } from '../workers/script-file.ts'

/** Writes a program for the shell, and returns its folder, which belongs in PATH. */
export function writeTool(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  return folder
}

/** Runs the command line of this repository with the arguments of a script. */
export const RUN_TIDEGATE = `exec '${process.execPath}' '${scriptFile('cli')}' "$@"`

/** Writes the arguments of a script to a file, each followed by a NUL, and fails with 3. */
export function recordArguments(file: string): string {
  return `printf '%s\\0' "$@" > '${file}'; exit 3`
}

/** Returns the arguments that `recordArguments` has written. */
export function recordedArguments(file: string): string[] {
  return readFileSync(file, 'utf8').split('\0').slice(0, -1)
}

/** Writes an npm package whose program is a script: the command line of this repository. Returns its folder. */
export function writePackage(folder: string, script = RUN_TIDEGATE): string {
  writeTool(folder, 'tidegate.sh', script)
  const content = { name: 'tidegate', version: '0.0.0', bin: { tidegate: 'tidegate.sh' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content))
  return folder
}
