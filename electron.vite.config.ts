import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const source = (path: string) => resolve(import.meta.dirname, 'src', path)

export default defineConfig({
  main: {
    build: {
      rolldownOptions: {
        input: {
          index: source('main/index.ts'),
          host: source('server/host.ts'),
          'catalog-worker': source('server/storage/catalog-worker.ts'),
          'fleet-worker': source('server/storage/fleet-worker.ts'),
          'backup-worker': source('server/storage/backup-worker.ts'),
          'reader-worker': source('server/storage/reader-worker.ts'),
          'preview-worker': source('server/console/preview-worker.ts'),
        },
        // Beside the entries, so that what is built finds its worker threads wherever it lands.
        output: { chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload script can load nothing but electron, and only as CommonJS.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: source('main/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: source('renderer'),
    plugins: [react()],
    build: { minify: true, rolldownOptions: { input: { index: source('renderer/index.html') } } },
  },
})
