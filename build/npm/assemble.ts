import { spawnSync } from 'node:child_process'
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { STAMP } from '../page-stamp.ts'
import { bundle } from './bundle.ts'
import { npmManifest } from './manifest.ts'
import { productionSbom } from './sbom.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Puts together the files of the npm package in an empty folder. The console's page is built already. */
export function assemble(folder: string): void {
  const manifest = npmManifest(ROOT)
  write(join(folder, 'package.json'), manifest)
  write(join(folder, 'sbom.cdx.json'), productionSbom(ROOT))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(ROOT, 'build/npm/README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'build/npm/bin'), join(folder, 'bin'), { recursive: true })
  compile(folder)
  copyPage(folder)
  bundle(manifest.bundleDependencies, ROOT, folder)
}

/** Compiles each source to a file of its own, so that worker threads and stack traces are as in the sources. */
function compile(folder: string): void {
  const compiled = join(folder, 'compiled')
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const project = join(ROOT, 'build/npm/tsconfig.json')
  const { status } = spawnSync(process.execPath, [compiler, '-p', project, '--outDir', compiled], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('the sources could not be compiled')
  // As deep as the sources are in the project, because they find its `package.json` and the page from there.
  renameSync(join(compiled, 'src'), join(folder, 'dist'))
  rmSync(compiled, { recursive: true })
}

/** With `licenses.md`, the licenses of what it consists of. */
function copyPage(folder: string): void {
  cpSync(join(ROOT, 'out/renderer'), join(folder, 'out/renderer'), {
    recursive: true,
    filter: (path) => basename(path) !== STAMP,
  })
}

function write(file: string, json: object): void {
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)
}
