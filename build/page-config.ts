import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { hashOfSources, STAMP } from './page-stamp.ts'

/** The first versions that know `light-dark()` in CSS, which cannot be replaced where the theme is a choice of the page. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5']

const WORKER = 'service-worker'

/** How Vite builds the console's page into a folder, for the desktop app and for browsers alike. */
export function pageConfig(root: string, outDir: string) {
  return {
    root: resolve(root, 'src/renderer'),
    // Relative, so that the page works under any path.
    base: './',
    plugins: [react(), stamp(root), compressed()],
    build: {
      outDir,
      emptyOutDir: true,
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
          // By itself, an icon takes twice its bytes in header fields.
          codeSplitting: {
            groups: [{ name: 'icons', test: /@tabler.icons-react/, minShareCount: 5 }],
          },
        },
      },
    },
  } satisfies UserConfig
}

/** Notes in the folder which sources were built. */
function stamp(root: string): Plugin {
  return {
    name: 'tidegate:stamp',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: STAMP, source: hashOfSources(root) })
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
