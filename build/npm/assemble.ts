import { cpSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { STAMP } from '../page-stamp.ts'
import { bundle } from './bundle.ts'
import { compile } from './compile.ts'
import { npmManifest } from './manifest.ts'
import { productionSbom } from './sbom.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Puts together the files of the npm package in an empty folder. The console's page is built already. */
export async function assemble(folder: string): Promise<void> {
  const manifest = npmManifest(ROOT)
  write(join(folder, 'package.json'), manifest)
  write(join(folder, 'sbom.cdx.json'), productionSbom(ROOT))
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
  cpSync(join(ROOT, 'build/npm/README.md'), join(folder, 'README.md'))
  cpSync(join(ROOT, 'build/npm/bin'), join(folder, 'bin'), { recursive: true })
  await compile(ROOT, join(folder, 'dist'))
  copyPage(folder)
  bundle(manifest.bundleDependencies, ROOT, folder)
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
