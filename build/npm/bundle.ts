import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { lockedPackages } from './production-packages.ts'

/** Sources, types, tests and settings of a package, and the SDK for buckets as bundlers want it: nothing that runs. */
const NOT_RUN =
  /(?:^|\/)(?:tests?|__tests__|skills|node_modules|dist-es|dist-types)$|(?:^|\/)\.|\.map$|\.[cm]?tsx?$|\.(?:test|spec)\.[cm]?js$/

const Names = z.record(z.string(), z.string()).optional()
const Package = z.looseObject({ peerDependencies: Names, optionalDependencies: Names })

/**
 * Copies packages of the project in `root`, and all that they depend on, to where they are in it, in the versions of the
 * lock file: so whoever installs the npm package has those that were tested.
 */
export function bundle(names: readonly string[], root: string, folder: string): void {
  for (const { path } of lockedPackages(root, names)) {
    const [from, to] = [join(root, path), join(folder, path)]
    const isRun = (file: string) => !NOT_RUN.test(file.slice(from.length).replaceAll('\\', '/'))
    cpSync(from, to, { recursive: true, filter: isRun })
    const file = join(to, 'package.json')
    // What is optional is not bundled, and npm would install it: the library for uploads has two clients of Redis.
    const {
      bin: _,
      optionalDependencies: __,
      ...manifest
    } = Package.parse(JSON.parse(readFileSync(file, 'utf8')))
    // npm would install what only the types need.
    const peers = Object.keys(manifest.peerDependencies ?? {})
    const peerDependenciesMeta = Object.fromEntries(peers.map((peer) => [peer, { optional: true }]))
    writeFileSync(file, `${JSON.stringify({ ...manifest, peerDependenciesMeta }, null, 2)}\n`)
  }
}
