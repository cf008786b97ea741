import { execFileSync } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/builders/folders.ts'

const ROOT = join(import.meta.dirname, '../..')

const USE = `
import { CheckError, createUpdateClient } from '@tidegate/client'

const client = createUpdateClient({ server: 'http://127.0.0.1:9', app: 'a', version: '1.0.0', folder: 'kept' })
const error: unknown = await client.check().catch((reason: unknown) => reason)
if (!(error instanceof CheckError)) throw error
console.log(error.problem, (await client.deviceId()).length)
`

test('the packed client is installed with its types, and needs nothing else', () => {
  const folder = temporaryFolder()
  run(join(ROOT, 'build/client-package.ts'), folder)
  const [tarball = ''] = globSync('*.tgz', { cwd: folder })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], {
    cwd: folder,
  })
  expect(globSync('node_modules/{*,@*/*}/package.json', { cwd: folder })).toEqual([
    'node_modules/@tidegate/client/package.json',
  ])
  writeFileSync(join(folder, 'use.ts'), USE)
  const types = join(ROOT, 'node_modules/@types')
  run(
    join(ROOT, 'node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--typeRoots',
    types,
    '--types',
    'node',
    join(folder, 'use.ts'),
  )
  expect(run('use.ts')).toBe('unreachable 36\n')

  function run(program: string, ...args: string[]): string {
    return execFileSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  }
})
