import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { parse } from 'yaml'
import { z } from 'zod'

const source = (path: string) => resolve(import.meta.dirname, 'src', path)

const packaging = resolve(import.meta.dirname, 'build/electron-builder.yml')
const { appId } = z.object({ appId: z.string() }).parse(parse(readFileSync(packaging, 'utf8')))

export default defineConfig({
  main: {
    define: { 'import.meta.env.APP_ID': JSON.stringify(appId) },
    build: {
      rolldownOptions: {
        input: {
          index: source('main/index.ts'),
          'server-process': source('server/server-process.ts'),
          'writer-worker': source('server/storage/writer/writer-worker.ts'),
          'fleet-worker': source('server/storage/fleet/database/fleet-worker.ts'),
          'backup-worker': source('server/storage/backup/backup-worker.ts'),
          'reader-worker': source('server/storage/fleet/database/reader-worker.ts'),
          'password-worker': source('server/people/password/password-worker.ts'),
          'preview-worker': source('server/preview-worker.ts'),
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
        input: { preload: source('main/preload/preload.ts') },
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
