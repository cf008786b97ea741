import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin, UserConfig } from 'vite'
import { hashOfSources, STAMP } from './page-stamp.ts'

/** The first versions that know `light-dark()` in CSS, which cannot be replaced where the theme is a choice of the page. */
const BROWSERS = ['chrome123', 'firefox120', 'safari17.5']

/** How Vite builds the console's page into a folder, for the desktop app and for browsers alike. */
export function pageConfig(root: string, outDir: string) {
  return {
    root: resolve(root, 'src/renderer'),
    // Relative, so that the page works under any path.
    base: './',
    plugins: [react(), stamp(root)],
    build: {
      outDir,
      emptyOutDir: true,
      minify: true,
      target: 'baseline-widely-available',
      cssTarget: BROWSERS,
      // Of the packages that the page consists of: most require their notice in every copy.
      license: { fileName: 'licenses.md' },
      rolldownOptions: { input: { index: resolve(root, 'src/renderer/index.html') } },
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
