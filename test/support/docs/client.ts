import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { collect } from './run.ts'

/** Modules that stand in for packages that only an app has, by name. */
export type Packages = Readonly<Record<string, string>>

/** Writes a module of the documentation into a folder, with the packages that it imports. */
export function writeClient(folder: string, code: string, packages: Packages): string {
  for (const [name, text] of Object.entries(packages)) {
    const file = join(folder, 'node_modules', name, 'index.js')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    writeFileSync(join(dirname(file), 'package.json'), '{"type":"module","main":"index.js"}')
  }
  const file = join(folder, 'client.mjs')
  writeFileSync(file, code)
  return file
}

/** Runs a module in a folder to its end, and returns what it wrote. Throws if it fails. */
export function runClient(file: string, environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const client = spawn(process.execPath, [file], {
    cwd: dirname(file),
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(client.stdout)
  const errors = collect(client.stderr)
  return new Promise((resolve, reject) => {
    client.once('close', (code) => {
      if (code === 0) resolve(output.text)
      else reject(new Error(`the client ended with ${code}:\n${output.text}${errors.text}`))
    })
  })
}
