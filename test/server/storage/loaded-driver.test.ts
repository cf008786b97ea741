import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileFolder } from '../../support/builders/folders.ts'
import { ROOT } from '../../support/processes/command-protocol.ts'

/** Opens the storage of a server and its engine, and tells which modules of the driver are loaded. */
const SCRIPT = `
  const { openStorage, attachStorage, storageEngine } = await import('./src/server/storage/open-storage.ts')
  const { default: Module } = await import('node:module')
  const dataFolder = process.argv[1]
  const storage = await openStorage({ dataFolder })
  await storage.close()
  await (await attachStorage({ dataFolder })).close()
  if (process.argv[2]) {
    await storageEngine({ dataFolder, database: process.argv[2] }).exists().catch(() => {})
  }
  const isDriver = (file) => /[\\\\/]node_modules[\\\\/]pg[\\\\/]/.test(file)
  console.log(Object.keys(Module._cache).some(isDriver))
`

function isDriverLoaded(...args: string[]): string {
  const command = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', SCRIPT]
  const options = { cwd: join(ROOT), encoding: 'utf8' } as const
  return execFileSync(process.execPath, [...command, fileFolder(), ...args], options).trim()
}

test('a server on SQLite does not load the driver of PostgreSQL', { timeout: 120_000 }, () => {
  expect(isDriverLoaded()).toBe('false')
  expect(isDriverLoaded('postgres://nobody@127.0.0.1:1/none')).toBe('true')
})

/** Loads what the thread of a fleet does, and tells whether it takes zod: a fifth of its memory and time. */
const THREAD = `
  const { registerHooks } = await import('node:module')
  let loads = false
  registerHooks({
    load(url, context, next) {
      loads ||= url.includes('/node_modules/zod/')
      return next(url, context)
    },
  })
  await import(process.argv[1])
  console.log(loads)
`

test.for([
  ['reads', 'fleet/reads/readers.ts'],
  ['writes telemetry', 'fleet/database/telemetry-work.ts'],
  ['writes the catalog', 'writer/writer-connection.ts'],
])('the thread that %s loads no schemas', { timeout: 120_000 }, ([, file = '']) => {
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', THREAD]
  const module = join(ROOT, 'src/server/storage/sqlite', file)
  const options = { cwd: ROOT, encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, [...args, module], options).trim()).toBe('false')
})
