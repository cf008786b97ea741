import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { launchChromium } from '../../support/processes/chromium.ts'

/** Builds the console's page into a temporary folder, and answers which. */
export async function buildPage(): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'tidegate-page-'))
  await build({
    configFile: false,
    root: resolve(import.meta.dirname, '../../../src/renderer'),
    base: './',
    plugins: [react()],
    logLevel: 'warn',
    worker: { format: 'es' },
    build: { target: 'chrome144', outDir, emptyOutDir: true, chunkSizeWarningLimit: 4_000 },
  })
  return outDir
}

/** The Chromium of this machine, without a window. */
export function launchBrowser(): Promise<Browser> {
  return launchChromium(['--disable-gpu'])
}
