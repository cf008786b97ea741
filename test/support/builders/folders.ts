import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that outlives one test; whoever made it removes it. */
export function ownFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tidegate-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}
