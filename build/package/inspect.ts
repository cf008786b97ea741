import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { damagedFiles, headerHash, listArchive, missingNeighbours } from './archive.ts'
import { contentProblems } from './content.ts'
import { fuseProblems } from './fuses.ts'
import type { PackagedApp } from './package-app.ts'
import { productionPackages } from './production.ts'
import { nativeFile, type Target } from './target.ts'

const ROOT = join(import.meta.dirname, '../..')

/** What was found in a package. */
export interface Inspection {
  readonly files: number
  readonly bytes: number
  /** A sentence each; none for a good package. */
  readonly problems: readonly string[]
}

/** Looks at everything in a package that can be seen without running it. */
export async function inspect(app: PackagedApp, target: Target): Promise<Inspection> {
  const { archive, executable, infoPlist } = app
  const files = listArchive(archive)
  const native = nativeFile(target)
  const shipped = join(`${archive}.unpacked`, native)
  const problems = [
    ...contentProblems(files, {
      workers: builtWorkers(),
      production: productionPackages(join(ROOT, 'package-lock.json')),
      target,
    }),
    ...missingNeighbours(archive, files),
    ...damagedFiles(archive, files).map(
      (path) => `${path} has not the hash that the archive notes`,
    ),
    ...(sameFile(shipped, join(ROOT, native)) ? [] : [`${shipped} is not the prebuilt file`]),
    ...(infoPlist === undefined ? [] : integrityProblems(infoPlist, headerHash(archive))),
    ...(await fuseProblems(executable)),
  ]
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), problems }
}

/** Where the build puts the server's worker threads, each by the name of its source. */
function builtWorkers(): readonly string[] {
  const sources = globSync('src/server/**/*-worker.ts', { cwd: ROOT })
  return sources.map((source) => `out/main/${basename(source, '.ts')}.js`)
}

function integrityProblems(infoPlist: string, hash: string): readonly string[] {
  const noted = /<key>ElectronAsarIntegrity<\/key>[\s\S]*?<key>hash<\/key>\s*<string>(\w+)</
  const found = noted.exec(readFileSync(infoPlist, 'utf8'))?.[1]
  return found === hash ? [] : [`Info.plist notes ${found} for an archive with the head ${hash}`]
}

function sameFile(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other))
}
