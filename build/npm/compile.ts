import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'vite'

/**
 * Packages of many small files, most of which the server does not use. They stay in the package with their licenses, and
 * for other packages that need them.
 */
const BUNDLED = ['js-yaml', 'semver', 'uuidv7', 'zod']

/**
 * Bundles the command line and the worker threads of the project in `root` into `folder`, because a start takes as long as
 * the files that it loads are many. Names stay, for stack traces. Rejects if an import cannot be found.
 */
export async function compile(root: string, folder: string): Promise<void> {
  const server = join(root, 'src/server')
  const workers = globSync('**/*-worker.ts', { cwd: server })
  const entries = ['cli.ts', ...workers].map((path) => join(server, path))
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: BUNDLED },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      target: 'node22',
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((path) => [basename(path, '.ts'), path])),
        // All in one folder, in which a thread's script is beside what starts it: see `workerUrl`.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
