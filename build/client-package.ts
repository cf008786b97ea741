/**
 * `npm run package:client`: builds the helper module for apps as `out/tidegate-client-<version>.tgz`. An argument names
 * another folder for it.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pack } from './npm/pack.ts'

const ROOT = join(import.meta.dirname, '..')
const CLIENT = join(ROOT, 'src/client')

const [target = join(ROOT, 'out')] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'tidegate-client-'))
try {
  for (const name of ['package.json', 'README.md']) cpSync(join(CLIENT, name), join(folder, name))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const options = ['-p', CLIENT, '--outDir', join(folder, 'dist')]
  const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the client could not be compiled')
  pack(folder, resolve(target))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
