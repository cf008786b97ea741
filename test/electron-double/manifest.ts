import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const Manifest = z.object({
  name: z.string().default('electron-double'),
  productName: z.string().optional(),
  version: z.string().default('0.0.0'),
  main: z.string().default('index.js'),
})

/** Reads the members of an app's package.json that Electron uses, with defaults. */
export function readManifest(folder: string): z.infer<typeof Manifest> {
  const file = join(folder, 'package.json')
  return Manifest.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})
}
