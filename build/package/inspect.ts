import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { NtExecutable, NtExecutableResource } from 'resedit'
import { z } from 'zod'
import { damagedFiles, headerHash, listArchive, missingNeighbours } from './archive.ts'
import { contentProblems } from './content.ts'
import { fuseProblems } from './fuses.ts'
import type { PackagedApp } from './package-app.ts'
import { productionPackages } from './production.ts'
import { nativeFile, type Target } from './target.ts'

const ROOT = join(import.meta.dirname, '../..')
/** The SIL Open Font License requires it in every copy of the font. */
const FONT_LICENSE = 'node_modules/@fontsource-variable/inter/LICENSE'
const AsarHashes = z.array(z.object({ file: z.string(), value: z.string() }))

/** What was found in a package. */
export interface Inspection {
  readonly files: number
  readonly bytes: number
  /** A sentence each; none for a good package. */
  readonly problems: readonly string[]
}

/** Looks at everything in a package that can be seen without running it. */
export async function inspect(app: PackagedApp, target: Target): Promise<Inspection> {
  const { archive, executable, integrityFile } = app
  const files = listArchive(archive)
  const native = nativeFile(target)
  const shipped = join(`${archive}.unpacked`, native)
  const fontLicense = join(dirname(archive), 'licenses/Inter.txt')
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
    ...(sameFile(fontLicense, join(ROOT, FONT_LICENSE)) ? [] : [`${fontLicense} is missing`]),
    ...integrityProblems(integrityFile, headerHash(archive)),
    ...(await fuseProblems(executable)),
  ]
  return { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0), problems }
}

/** The server's worker threads in the build, by the name of their source. */
function builtWorkers(): readonly string[] {
  const sources = globSync('src/server/**/*-worker.ts', { cwd: ROOT })
  return sources.map((source) => `out/main/${basename(source, '.ts')}.js`)
}

/** Linux stores no hash of the archive outside the archive. */
function integrityProblems(file: string | undefined, hash: string): readonly string[] {
  if (file === undefined) return []
  const noted = file.endsWith('.exe') ? hashInExecutable(file) : hashInPlist(file)
  return noted === hash
    ? []
    : [`${basename(file)} has the hash ${noted}, but the archive header has ${hash}`]
}

function hashInPlist(file: string): string | undefined {
  const noted = /<key>ElectronAsarIntegrity<\/key>[\s\S]*?<key>hash<\/key>\s*<string>(\w+)</
  return noted.exec(readFileSync(file, 'utf8'))?.[1]
}

/** Electron reads the hash from a resource of its executable. */
function hashInExecutable(file: string): string | undefined {
  const { entries } = NtExecutableResource.from(NtExecutable.from(readFileSync(file)))
  const resource = entries.find(({ type, id }) => type === 'INTEGRITY' && id === 'ELECTRONASAR')
  if (resource === undefined) return undefined
  const hashes = AsarHashes.parse(JSON.parse(Buffer.from(resource.bin).toString('utf8')))
  return hashes.find((entry) => entry.file === 'resources\\app.asar')?.value
}

function sameFile(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other))
}
