import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineConfig } from 'electron-vite'
import { parse } from 'yaml'
import { z } from 'zod'
import { pageConfig } from './build/page-config.ts'

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
          'server-process': source('server/compose/server-process/server-process.ts'),
          'storage-worker': source('server/storage/sqlite/threads/storage-worker.ts'),
          'making-worker': source('server/hosting/making/making-worker.ts'),
          'copy-files-worker': source('server/backups/files/copy-files-worker.ts'),
          'backup-worker': source('server/storage/sqlite/engine/backup-worker.ts'),
          'control-worker': source('server/compose/control-worker.ts'),
          'lease-worker': source('server/storage/postgres/nodes/lease-worker.ts'),
          'password-worker': source('server/people/password/password-worker.ts'),
          'preflight-worker': source('server/compose/preflight-worker.ts'),
          'preview-worker': source('server/compose/preview-worker.ts'),
          'proof-worker': source('server/outbound/proving/proof-worker.ts'),
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
  renderer: pageConfig(import.meta.dirname, resolve(import.meta.dirname, 'out/renderer')),
})
