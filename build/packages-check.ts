import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { satisfies } from 'semver'
import { z } from 'zod'

// `npm run packages:check`: what npm warns about while it installs, which `.npmrc` turns off because npm compares with the
// Node that it runs on, and everything here runs on the pinned one. Also whether the packages are installed.

const ROOT = join(import.meta.dirname, '..')
/** Each with a lock file of its own, and the command that installs its packages. */
const FOLDERS = { '.': 'npm ci', build: 'npm run install:tools', test: 'npm run install:tools' }
/** Packages that work on the pinned Node although their `engines` exclude it: a test runs them. */
const WORKING: readonly string[] = ['velopack']

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  allowScripts: z.record(z.string(), z.boolean()).default({}),
})
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().default(false),
      engines: z.object({ node: z.string().optional() }).optional(),
      hasInstallScript: z.boolean().default(false),
      deprecated: z.string().optional(),
    }),
  ),
})

const node = manifestOf('.').dependencies.node ?? ''
const problems = Object.entries(FOLDERS).flatMap(([folder, command]) => [
  ...warnings(folder),
  ...notInstalled(folder, command),
])
for (const problem of problems) process.stderr.write(`packages: ${problem}\n`)
if (problems.length > 0) process.exitCode = 1

/** What the lock file of a folder has that somebody must decide on. */
function warnings(folder: string): readonly string[] {
  const { packages } = Lock.parse(read(folder, 'package-lock.json'))
  const { allowScripts } = manifestOf(folder)
  const file = join(folder, 'package-lock.json')
  const standIns = Object.keys(packages).filter((path) => packages[path]?.link)
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  return installed.flatMap(([path, { engines, hasInstallScript, deprecated }]) => {
    const name = nameOf(path)
    const wanted = engines?.node ?? '*'
    const isReplaced = standIns.some((standIn) => nameOf(standIn) === name && standIn !== path)
    return [
      ...(satisfies(node, wanted) || WORKING.includes(name)
        ? []
        : [`${file}: ${path} needs Node ${wanted}, and the pinned one is ${node}`]),
      ...(!hasInstallScript || name in allowScripts
        ? []
        : [`${file}: ${path} has an install script. Decide in allowScripts whether it runs`]),
      ...(deprecated === undefined ? [] : [`${file}: ${path} is deprecated: ${deprecated}`]),
      ...(isReplaced && path.includes('node_modules/')
        ? [`${file}: ${path} is installed, and its stand-in is of another version`]
        : []),
    ]
  })
}

/** One problem at most: the same command fixes all. */
function notInstalled(folder: string, command: string): readonly string[] {
  const { dependencies, devDependencies } = manifestOf(folder)
  const wanted = Object.entries({ ...dependencies, ...devDependencies })
  const missing = wanted.find(([name, version]) => {
    const place = join(folder, 'node_modules', name)
    if (!existsSync(join(ROOT, place, 'package.json'))) return true
    const installed = z.object({ version: z.string() }).parse(read(place, 'package.json'))
    return !version.startsWith('file:') && installed.version !== version
  })
  if (missing === undefined) return []
  return [`${missing.join(' ')} is not in ${join(folder, 'node_modules')}. Run "${command}"`]
}

function manifestOf(folder: string): z.infer<typeof Manifest> {
  return Manifest.parse(read(folder, 'package.json'))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function read(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(ROOT, folder, file), 'utf8'))
}
