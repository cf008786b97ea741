import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
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

/** Writes an npm package whose program is the command line of this repository. Returns its folder. */
export function writePackage(folder: string): string {
  writeTool(folder, 'tidegate.sh', RUN_TIDEGATE)
  const content = { name: 'tidegate', version: '0.0.0', bin: { tidegate: 'tidegate.sh' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(content))
  return folder
}
