import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin, Rolldown, UserConfig } from 'vite'
import { hashOfSources, STAMP } from './page-stamp.ts'

/** The first versions that know `light-dark()` in CSS, which cannot be replaced where the theme is a choice of the page. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5']

const WORKER = 'service-worker'

/** What whoever is signed in loads first: the frame of the console, and the screen that it opens on. */
const FIRST = ['routes.tsx', 'overview/overview-screen.tsx']
/** Packages of which that uses about what all screens do. */
const OF_FIRST = /node_modules\/(?:react-router|@tanstack\/(?:react-)?virtual)/

/** How Vite builds the console's page into a folder, for the desktop app and for browsers alike. */
export function pageConfig(root: string, outDir: string) {
  const isOfFirst = ofFirst(root)
  return {
    root: resolve(root, 'src/renderer'),
    // Relative, so that the page works under any path.
    base: './',
    plugins: [react(), notes(root), compressed()],
    build: {
      outDir,
      emptyOutDir: true,
      chunkSizeWarningLimit: 800,
      minify: true,
      target: 'baseline-widely-available',
      cssTarget: BROWSERS,
      // Of the packages that the page consists of: most require their notice in every copy.
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: {
          index: resolve(root, 'src/renderer/index.html'),
          [WORKER]: resolve(root, 'src/renderer/service-worker.ts'),
        },
        // A browser knows the worker by its address, and looks there for another version of it.
        output: {
          entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
          // Three files until the first screen: by themselves they were 50, and a browser asks for six at a time.
          codeSplitting: {
            groups: [
              { name: 'start', tags: ['$initial'], test: (id) => !id.includes(WORKER) },
              {
                name: (id, context) => (isOfFirst(id, context) ? 'console' : null),
                debugName: 'console',
              },
              { name: 'icons', test: /@tabler.icons-react/, minShareCount: 3 },
            ],
          },
        },
      },
    },
  } satisfies UserConfig
}

/** Returns what tells whether a module belongs to `FIRST`: all own sources that it imports, also indirectly, and its packages. */
function ofFirst(root: string) {
  const own = new Set<string>()
  return (id: string, context: Rolldown.ChunkingContext): boolean => {
    const reach = (from: string) => {
      if (own.has(from) || from.includes('node_modules')) return
      own.add(from)
      for (const next of context.getModuleInfo(from)?.importedIds ?? []) reach(next)
    }
    for (const first of FIRST) reach(resolve(root, 'src/renderer', first))
    return own.has(id) || OF_FIRST.test(id)
  }
}

/** Notes in the folder which sources were built, and the files of `FIRST`, which the server has browsers load early. */
function notes(root: string): Plugin {
  return {
    name: 'tidegate:notes',
    generateBundle(_options, bundle) {
      const note = (fileName: string, source: string) =>
        this.emitFile({ type: 'asset', fileName, source })
      note(STAMP, hashOfSources(root))
      const early = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' && file.name === 'console'
          ? [file.fileName, ...(file.viteMetadata?.importedCss ?? [])]
          : [],
      )
      note('early.txt', early.join('\n'))
    },
  }
}

/** Files that are smaller compressed. */
const TEXT = /\.(?:js|css|html|svg|md)$/

/** Writes files a second and third time for browsers that take gzip and Brotli, so that the server compresses nothing. */
function compressed(): Plugin {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  const [zip, brotli] = [promisify(gzip), promisify(brotliCompress)]
  return {
    name: 'tidegate:compressed',
    async writeBundle({ dir = '' }, bundle) {
      const files = Object.keys(bundle).filter((file) => TEXT.test(file))
      await Promise.all(
        files.map(async (file) => {
          const path = join(dir, file)
          const bytes = await readFile(path)
          await writeFile(`${path}.gz`, await zip(bytes, { level: 9 }))
          await writeFile(`${path}.br`, await brotli(bytes, { params }))
        }),
      )
    },
  }
}
