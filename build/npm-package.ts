/**
 * `npm run package:npm`: builds the npm package, which runs the server and its console on any Node that is recent
 * enough, as `out/tidegate-<version>.tgz`. An argument names another folder for it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { assemble } from './npm/assemble.ts'
import { pack } from './npm/pack.ts'
import './page.ts'

const [target = join(import.meta.dirname, '../out')] = process.argv.slice(2)
const destination = resolve(target)
const folder = mkdtempSync(join(tmpdir(), 'tidegate-npm-'))
try {
  await assemble(folder)
  pack(folder, destination)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
