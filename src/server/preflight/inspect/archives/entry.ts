import type { Source } from '../source.ts'

/** A file in an archive. */
export interface Entry {
  /** With `/`, and without one or `./` at its start. */
  readonly path: string
  /** Bytes, as the archive says. */
  readonly size: number
  /**
   * Opens it. Where the archive can only be read in order, this has to happen, and everything be read, before the next
   * entry is asked for.
   */
  open(): Promise<Source>
}

/** Returns a path as `Entry` has it. */
export function plainPath(path: string): string {
  return path.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, '')
}
