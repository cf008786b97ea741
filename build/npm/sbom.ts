import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const Project = z.looseObject({ name: z.string() })
const Lock = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      dev: z.boolean().default(false),
      link: z.boolean().default(false),
    }),
  ),
})
const Sbom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({}),
  components: z.array(z.looseObject({ name: z.string(), version: z.string() })),
})

/**
 * Returns the CycloneDX document (https://cyclonedx.org) of all production packages in the lock file of the project in
 * `root`, made by npm without network. It has no time and no serial number, so the same lock file leads to the same document.
 * Throws if npm fails.
 */
export function productionSbom(root: string): z.infer<typeof Sbom> {
  const temporary = mkdtempSync(join(tmpdir(), 'tidegate-sbom-'))
  try {
    const project = Project.parse(readJson(join(root, 'package.json')))
    // npm names the document after the folder.
    const folder = join(temporary, project.name)
    mkdirSync(folder)
    // With --omit=dev, npm 11 also leaves out packages that are needed in development as well.
    const lock = productionLock(Lock.parse(readJson(join(root, 'package-lock.json'))))
    writeFileSync(join(folder, 'package.json'), JSON.stringify(withoutDevelopment(project)))
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    const { serialNumber: _, metadata, ...sbom } = Sbom.parse(JSON.parse(runNpm(folder)))
    const { timestamp: __, ...kept } = metadata
    return { ...sbom, metadata: kept }
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

function productionLock({ packages, ...lock }: z.infer<typeof Lock>): object {
  const needed = Object.entries(packages).filter(
    ([path, { dev, link }]) => !dev && !link && (path === '' || path.startsWith('node_modules/')),
  )
  const production = needed.map(([path, entry]) => [
    path,
    path === '' ? withoutDevelopment(entry) : entry,
  ])
  return { ...lock, packages: Object.fromEntries(production) }
}

function withoutDevelopment({ devDependencies: _, ...manifest }: Record<string, unknown>): object {
  return manifest
}

function runNpm(folder: string): string {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline']
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  return stdout
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
